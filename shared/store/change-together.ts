import { type Changed, change } from './change.ts';
import type { VersionedItems } from './items.ts';
import type { ItemKey } from './kind.ts';

type Decision<V> = { readonly value?: V | undefined };
type Decide<V, D extends Decision<V>> = (known: V | undefined) => D;

interface Waiting<V> {
  readonly decide: Decide<V, Decision<V>>;
  readonly done: PromiseWithResolvers<unknown>;
}

export interface ChangedTogether<K extends string = ItemKey> extends Changed<K> {
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
