import type { Clock } from '#shared/kernel';
import { change, type ItemKey, type VersionedItems } from '#shared/versioned-items';
import type { RecordItems } from './change-record.ts';
import type { RecordPlace } from './record-state.ts';
import type { RoundStand } from './rounds/schemas.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

/**
 * A page of the index is at most 1 MB: five of them a minute are 7 GB a day, a pass over some millions of records, and
 * never more than four dollars a month.
 */
const PAGES_AT_ONCE = 5;

/** Where a round through the records stands. Its first part has no sum before it, and some rounds keep none. */
type KeptRound<S> = RoundStand & { readonly sum?: S | undefined };
export type Round<S> = RoundStand & { readonly sum: S };

interface RoundServices<R> {
  readonly records: Pick<RecordItems, 'page'>;
  readonly items: VersionedItems<R>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export interface RoundPlan<S, R extends KeptRound<S>> {
  readonly key: ItemKey;
  /** For a person. */
  readonly kind: string;
  readonly places: readonly RecordPlace[];
  /** A new round begins so long after the last one did, or as soon as that has ended. */
  readonly everyMs: number;
  readonly empty: S;
  /** Called once for each record where the round keeps no sum; twice where it does. */
  readonly add: (sum: S, state: RecordState) => S;
  /** Most records in a part; a few full pages of the index without it. */
  readonly recordsAtOnce?: number;
  /** Adds a part to the sum. It may ask HubSpot about the part; if that fails, the part is repeated. */
  readonly keep: (round: Round<S>, before: R | undefined) => R | Promise<R>;
}

export interface RoundPart<S> {
  /** What this part alone has met. */
  readonly part: S;
  /** The whole round's, when it ends with this part. */
  readonly whole?: S | undefined;
}

/**
 * Continues a round through the records where its last part ended, in any process, by a few pages at most. So a part is
 * short, however many records there are.
 * @returns undefined while no round is due.
 */
export async function goRound<S, R extends KeptRound<S>>(
  { records, items, clock }: RoundServices<R>,
  plan: RoundPlan<S, R>,
): Promise<RoundPart<S> | undefined> {
  const { key, kind, everyMs } = plan;
  const { told } = await change(items, { key, kind, clock }, async (known) => {
    const nowMs = clock.now();
    if (known && !known.at && nowMs < known.begunMs + everyMs) return { told: undefined };
    const round: KeptRound<S> = known?.at
      ? { begunMs: known.begunMs, at: known.at, sum: known.sum }
      : { begunMs: nowMs, at: { place: 0 } };
    const { next, part, sum = part } = await goPart(records, plan, round);
    const value = await plan.keep({ begunMs: round.begunMs, sum, ...(next && { at: next }) }, known);
    return { told: { part, ...(!next && { whole: sum }) }, value };
  });
  return told;
}

type Position = NonNullable<RoundStand['at']>;

async function goPart<S, R extends KeptRound<S>>(
  records: RoundServices<R>['records'],
  { places, empty, add, recordsAtOnce = Number.POSITIVE_INFINITY }: RoundPlan<S, R>,
  round: KeptRound<S>,
): Promise<{ readonly next: Position | undefined; readonly part: S; readonly sum: S | undefined }> {
  let { at, sum } = round;
  let part = empty;
  let left = recordsAtOnce;
  for (let pages = 0; at && pages < PAGES_AT_ONCE && left > 0; ) {
    const place = places[at.place];
    if (place === undefined) return { next: undefined, part, sum };
    const partition = recordKind.partition(place);
    const limit = Number.isFinite(left) ? left : undefined;
    const { values, next } = await records.page({ partition, after: at.after, limit });
    left -= values.length;
    for (const state of values) {
      part = add(part, state);
      sum = sum && add(sum, state);
    }
    at = next === undefined ? { place: at.place + 1 } : { place: at.place, after: next };
    // An empty place is no page.
    if (values.length > 0) pages += 1;
  }
  return { next: at && at.place < places.length ? at : undefined, part, sum };
}
