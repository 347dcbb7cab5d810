import { type Clock, type Random, UpstreamError } from '#shared/kernel';
import { type ItemKey, replacing, type Versioned, type VersionedItems } from './store.ts';

export interface Race {
  /** What is raced for, for the error: `record`, `question` ... */
  readonly kind: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Spreads those who wait, where a crowd changes one item all the time. */
  readonly random?: Random | undefined;
  /** After the first lost race, milliseconds; longer where it is always a crowd. */
  readonly backoffMs?: number | undefined;
}

export interface Changed<K extends string = ItemKey> extends Race {
  readonly key: K;
  /** Mostly there is none yet: the first try needs no read. */
  readonly isMostlyNew?: boolean | undefined;
  /** A person is forgotten by it: fields that this version does not know go as well. */
  readonly isForgetting?: boolean | undefined;
}

/**
 * Reads an item, decides, and writes the decision on the condition that nothing came between; otherwise decides again. A
 * decision without a `value` writes nothing; it is only taken on an item that was read.
 * @param written items as the caller wrote them last: the first try builds on that instead of a read. The condition of
 * the write proves that nothing came between.
 * @param decide `version` is 0 where there is no item.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, when the item cannot be changed within the bound.
 */
export function change<V, D extends { readonly value?: V | undefined }, K extends string = ItemKey>(
  items: VersionedItems<V, K>,
  {
    key,
    isMostlyNew,
    isForgetting,
    written,
    ...race
  }: Changed<NoInfer<K>> & { readonly written?: Map<NoInfer<K>, Versioned<NoInfer<V>>> | undefined },
  decide: (known: V | undefined, version: number) => D | Promise<D>,
): Promise<D> {
  const tryOn = async (stored: Versioned<V> | undefined, isRead: boolean): Promise<D | 'lost' | 'unread'> => {
    const replaced = replacing(stored, isForgetting);
    const decision = await decide(stored?.value, replaced.expectedVersion);
    const { value } = decision;
    if (value === undefined) return isRead ? decision : 'unread';
    written?.delete(key);
    if ((await items.write({ key, value, ...replaced })) === 'conflict') return 'lost';
    const { expectedVersion, ...unknown } = replaced;
    written?.set(key, { value, version: expectedVersion + 1, ...unknown });
    return decision;
  };
  return untilWon(race, async (lost) => {
    const last = written?.get(key);
    const isTriedUnread = lost === 0 && (last !== undefined || isMostlyNew);
    const first = isTriedUnread ? await tryOn(last, false) : 'unread';
    const tried = first === 'unread' ? await tryOn(await items.read(key), true) : first;
    return typeof tried === 'string' ? undefined : tried;
  });
}

/** Each lost race is another's success; so many in a row mean a store gone wrong, not workers in a crowd. */
const MAX_LOST_RACES = 200;
/** Doubles with each lost race up to the longest: who lost once is let by the crowd. Milliseconds. */
const BACKOFF_MS = 2;
const LONGEST_BACKOFF_MS = 200;

/**
 * Tries until nothing came between.
 * @param attempt `undefined` for a lost race; `lost` counts those before it.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, when each race within the bound is lost.
 */
export async function untilWon<R>(
  { kind, clock, random = () => 1, backoffMs = BACKOFF_MS }: Race,
  attempt: (lost: number) => Promise<R | undefined>,
): Promise<R> {
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const result = await attempt(lost);
    if (result !== undefined) return result;
    await clock.sleep(random() * Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** lost));
  }
  throw new UpstreamError({
    code: 'ITEM_CONTENDED',
    message: `The ${kind} changed ${MAX_LOST_RACES} times in a row while it was being written.`,
    retryable: true,
  });
}
