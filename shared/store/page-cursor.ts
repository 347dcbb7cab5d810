/** The end of a page in a partition of the index: the last item's order and key. */
export interface PagePlace {
  readonly order: number;
  readonly key: string;
}

/** Form of a cursor. Our keys have at most 300 characters. */
const FORM = /^(\d{1,16})\/(.{1,300})$/s;

export function pageCursor({ order, key }: PagePlace): string {
  return `${order}/${key}`;
}

/**
 * Parses a cursor; `undefined` for another text. Even a made-up cursor can only reach the partition in which it is
 * used.
 */
export function readCursor(text: string): PagePlace | undefined {
  const [, order, key] = FORM.exec(text) ?? [];
  if (order === undefined || key === undefined || !Number.isSafeInteger(Number(order))) return undefined;
  return { order: Number(order), key };
}
