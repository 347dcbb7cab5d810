/** Where in a partition of the index a page ends: an item's order and key. */
export interface PagePlace {
  readonly order: number;
  readonly key: string;
}

/** Longer keys are not ours. */
const FORM = /^(\d{1,16})\/(.{1,300})$/s;

export function pageCursor({ order, key }: PagePlace): string {
  return `${order}/${key}`;
}

/** Any cursor is a place in whatever partition it is used for, even if it is made up; nothing if it is none. */
export function readCursor(text: string): PagePlace | undefined {
  const [, order, key] = FORM.exec(text) ?? [];
  if (order === undefined || key === undefined || !Number.isSafeInteger(Number(order))) return undefined;
  return { order: Number(order), key };
}
