import { type Clock, type Random, UpstreamError } from '#shared/kernel';
import { replacing, type VersionedItems } from './items.ts';
import type { ItemKey } from './kind.ts';
import type { Known } from './transactions.ts';

interface Race {
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

type Decision<V> = { readonly value?: V | undefined };

type Decide<V, D extends Decision<V>> = (known: V | undefined) => D;

interface Waiting<V> {
  readonly decide: Decide<V, Decision<V>>;
  readonly done: PromiseWithResolvers<unknown>;
}

interface ChangedTogether<K extends string = ItemKey> extends Changed<K> {
  /** Pause after a write of this process. The next write includes all decisions that are made during the pause. */
  readonly pauseMs: () => number;
}

/**
 * Like `change`, for a process that changes one item often. Decisions that are made during a write are collected, in
 * order, for the next write. Each decision is based on the result of the previous one. If a write fails, all its
 * decisions fail.
 */
export function createChangeTogether<V, K extends string = ItemKey>(
  items: VersionedItems<V, K>,
  { pauseMs, ...changed }: ChangedTogether<NoInfer<K>>,
): <D extends Decision<V>>(decide: Decide<V, D>) => Promise<D> {
  let waiting: Waiting<V>[] = [];
  let isWriting = false;
  const work = async () => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await settle(items, changed, group);
      const ms = pauseMs();
      if (ms > 0) await changed.clock.sleep(ms);
    }
    isWriting = false;
  };
  return <D extends Decision<V>>(decide: Decide<V, D>) => {
    const done = Promise.withResolvers<unknown>();
    waiting.push({ decide, done });
    void work();
    return done.promise as Promise<D>;
  };
}

async function settle<V, K extends string>(
  items: VersionedItems<V, K>,
  changed: Changed<NoInfer<K>>,
  group: readonly Waiting<V>[],
): Promise<void> {
  try {
    const { decisions } = await change(items, changed, (known) => {
      let value = known;
      const decisions = group.map(({ decide }) => {
        const decision = decide(value);
        value = decision.value ?? value;
        return decision;
      });
      return { decisions, value: value === known ? undefined : value };
    });
    group.forEach(({ done }, index) => void done.resolve(decisions[index]));
  } catch (error) {
    for (const { done } of group) done.reject(error);
  }
}
