import { type Clock, type Random, UpstreamError } from '#shared/kernel';
import { replacing, type VersionedItems } from './items.ts';
import type { ItemKey } from './kind.ts';
import type { Known } from './transactions.ts';

export interface Race {
  /** Kind of the item, for the error: `record`, `question` ... */
  readonly kind: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Jitter for the backoff, if many writers change one item. */
  readonly random?: Random | undefined;
  /** Backoff after the first lost race, milliseconds. Use a longer one for items with many writers. */
  readonly backoffMs?: number | undefined;
}

export interface Changed<K extends string = ItemKey> extends Race {
  readonly key: K;
  /** Set if the item is usually missing. The first attempt then does not read. */
  readonly isMostlyNew?: boolean | undefined;
  /** Set if the change is part of a privacy deletion. Fields that this version does not know are then also removed. */
  readonly isForgetting?: boolean | undefined;
}

/**
 * Reads an item, decides, and writes the decision on the condition that the item has not changed. If it has changed,
 * decides again. A decision without a `value` writes nothing. Such a decision is only accepted if the item was read.
 * @param written the caller's last writes. The first attempt uses these instead of a read. This is safe, because the
 * conditional write fails if the item has changed.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, after too many lost races.
 */
export function change<V, D extends { readonly value?: V | undefined }, K extends string = ItemKey>(
  items: VersionedItems<V, K>,
  {
    key,
    isMostlyNew,
    isForgetting,
    written,
    ...race
  }: Changed<NoInfer<K>> & { readonly written?: Map<NoInfer<K>, Known<NoInfer<V>>> | undefined },
  decide: (known: V | undefined) => D | Promise<D>,
): Promise<D> {
  const tryOn = async (stored: Known<V> | undefined, isRead: boolean): Promise<D | 'lost' | 'unread'> => {
    const decision = await decide(stored?.value);
    const { value } = decision;
    if (value === undefined) return isRead ? decision : 'unread';
    written?.delete(key);
    const result = await items.write({ key, value, ...replacing(stored, isForgetting) });
    if (result === 'conflict') return 'lost';
    written?.set(key, result);
    return decision;
  };
  return untilWon(race, async (lost) => {
    const lastWritten = written?.get(key);
    const isTriedUnread = lost === 0 && (lastWritten !== undefined || isMostlyNew);
    const unreadOutcome = isTriedUnread ? await tryOn(lastWritten, false) : 'unread';
    const outcome = unreadOutcome === 'unread' ? await tryOn(await items.read(key), true) : unreadOutcome;
    return typeof outcome === 'string' ? undefined : outcome;
  });
}

/** After this many lost races, the store is probably faulty. Each lost race is another writer's success. */
const MAX_LOST_RACES = 200;
/** First backoff, milliseconds. It doubles with each lost race, up to the longest backoff. */
const BACKOFF_MS = 2;
const LONGEST_BACKOFF_MS = 200;

/**
 * Repeats an attempt until it wins the race.
 * @param attempt returns `undefined` for a lost race. `lost` is the number of lost races so far.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, after too many lost races.
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
