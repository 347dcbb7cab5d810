import { DAY_MS } from '../kernel/clock.ts';

/** What lies beside the questions in their table. None of it is a person's data but `part`. */
export type SideItem =
  /** A piece of an answer that is too large for the question's own item. */
  | { readonly kind: 'part'; readonly text: string; readonly untilMs: number }
  /** Where something about the person with one identifier is held. */
  | { readonly kind: 'links'; readonly links: readonly Link[] }
  /** Identifiers of people who are forgotten, in short form: never expires. */
  | { readonly kind: 'tombstones'; readonly hashes: readonly string[] }
  /** Rises with every change of the tombstones. */
  | { readonly kind: 'epoch'; readonly count: number }
  /** Forgettings that have to be gone through once more, when nobody who began before them can be at work. */
  | { readonly kind: 'forgets'; readonly due: readonly Forget[] };

export interface Link {
  /** Key of a question, or of a record. */
  readonly to: string;
  /** When what it leads to is gone by itself; absent where it stays. Epoch milliseconds. */
  readonly untilMs?: number | undefined;
}

export interface Forget {
  readonly identifiers: readonly string[];
  readonly atMs: number;
}

/** DynamoDB deletes some days late as it is; this much it surely is not early. */
const MARGIN_MS = DAY_MS;

/** When an item is of no more use to anybody, epoch milliseconds; `undefined` for never. */
export function sideItemExpiry(item: SideItem): number | undefined {
  if (item.kind === 'part') return item.untilMs;
  if (item.kind !== 'links') return undefined;
  const ends = item.links.map(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs);
  const lastMs = Math.max(0, ...ends);
  return lastMs === Number.POSITIVE_INFINITY ? undefined : lastMs + MARGIN_MS;
}
