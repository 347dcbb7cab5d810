import type { Clock } from '#shared/kernel';
import { change } from '#shared/store';
import type { RecordItems } from './change-record.ts';
import type { RecordPlace } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import type { PassPosition, StoredStatus } from './status/schemas.ts';
import { recordKind, type StatusItems, type StatusName, statusKind } from './stored-kinds.ts';

/**
 * An index page has at most 1 MB. Five pages a minute are 7 GB a day. This is enough for a pass over some million
 * records, and costs at most four dollars a month.
 */
const PAGES_AT_ONCE = 5;

/** Stored position of a pass. `sum` is absent before the first part, and in passes that store no sum. */
type StoredPass<S> = PassPosition & { readonly sum?: S | undefined };
export type RecordPass<S> = PassPosition & { readonly sum: S };

export interface PassServices {
  readonly records: Pick<RecordItems, 'page'>;
  readonly status: StatusItems;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export interface PassPlan<S, R extends StoredPass<S>> {
  readonly name: StatusName;
  /** Returns the pass's part of its item. */
  readonly stored: (status: StoredStatus) => R | undefined;
  readonly places: readonly RecordPlace[];
  /** A new pass begins this time after the start of the last pass, but not before the last pass has ended. */
  readonly everyMs: number;
  readonly empty: S;
  /** Called one time for each record if the pass stores no sum. Called two times if it stores a sum. */
  readonly add: (sum: S, state: RecordState) => S;
  /** Maximum number of records in a part. Without it, a part is a few full pages. */
  readonly recordsAtOnce?: number;
  /** Returns the item to store after a part. It may call HubSpot. If the call fails, the part is repeated. */
  readonly keep: (pass: RecordPass<S>, before: R | undefined) => StoredStatus | Promise<StoredStatus>;
}

export interface PassPart<S> {
  /** Result of this part alone. */
  readonly part: S;
  /** Result of the whole pass, if it ends with this part. */
  readonly whole?: S | undefined;
}

/**
 * Continues a pass through the records after its last part. Any process can do this. A part reads only a few pages, so
 * it stays short.
 * @returns `undefined` while no pass is due.
 */
export async function continuePass<S, R extends StoredPass<S>>(
  { records, status, clock }: PassServices,
  plan: PassPlan<S, R>,
): Promise<PassPart<S> | undefined> {
  const { name, everyMs } = plan;
  const item = { key: statusKind.key(name), kind: `status of ${name}`, clock };
  const { outcome } = await change(status, item, async (before) => {
    const nowMs = clock.now();
    const known = before && plan.stored(before);
    if (known && !known.at && nowMs < known.begunMs + everyMs) return { outcome: undefined };
    const pass: StoredPass<S> = known?.at
      ? { begunMs: known.begunMs, at: known.at, sum: known.sum }
      : { begunMs: nowMs, at: { place: 0 } };
    const { next, part, sum = part } = await readPart(records, plan, pass);
    const value = await plan.keep({ begunMs: pass.begunMs, sum, ...(next && { at: next }) }, known);
    return { outcome: { part, ...(!next && { whole: sum }) }, value };
  });
  return outcome;
}

type Position = NonNullable<PassPosition['at']>;

async function readPart<S, R extends StoredPass<S>>(
  records: PassServices['records'],
  { places, empty, add, recordsAtOnce = Number.POSITIVE_INFINITY }: PassPlan<S, R>,
  pass: StoredPass<S>,
): Promise<{ readonly next: Position | undefined; readonly part: S; readonly sum: S | undefined }> {
  let { at, sum } = pass;
  let part = empty;
  let remaining = recordsAtOnce;
  for (let pages = 0; at && pages < PAGES_AT_ONCE && remaining > 0; ) {
    const place = places[at.place];
    if (place === undefined) return { next: undefined, part, sum };
    const partition = recordKind.partition(place);
    const limit = Number.isFinite(remaining) ? remaining : undefined;
    const { values, next } = await records.page({ partition, after: at.after, limit });
    remaining -= values.length;
    for (const state of values) {
      part = add(part, state);
      sum = sum && add(sum, state);
    }
    at = next === undefined ? { place: at.place + 1 } : { place: at.place, after: next };
    // An empty place does not count as a page.
    if (values.length > 0) pages += 1;
  }
  return { next: at && at.place < places.length ? at : undefined, part, sum };
}
