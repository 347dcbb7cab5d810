import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type { Clock } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import type { Store } from '#shared/store';
import { type StoreRequest, touches, watchedStore } from './watched-store.ts';

/** Counts a worker's outside calls, and can cut the worker off at any of them. */
export interface Fuse {
  /** Calls so far. */
  calls(): number;
  /** True if the worker is dead: none of its calls reaches the outside any more. */
  isBlown(): boolean;
  arm(plan: FusePlan): void;
  blow(): void;
  /** @param to the called service; a store by default. */
  run<R>(call: () => Promise<R>, to?: Callee): Promise<R>;
  /** The store, with the fuse in every request. */
  store(store: Store): Store;
}

/** `marks`: writes of questions, including the one right before a request. `books`: entries of the ledger. */
type Callee = 'data-service' | 'hubspot' | 'marks' | 'books';

export interface FusePlan {
  /** The failing call, counted from 1. */
  readonly at: number;
  /** The calls that count; all by default. */
  readonly among?: Callee;
  /** Whether the call still has its effect. */
  readonly effect: 'none' | 'done';
  /**
   * `death`: all later calls fail too, as after a crash. `pause`: the process stops with all its calls, and later
   * continues. `sleep`: the same, but no timeout ends the process meanwhile, such as a command on a laptop.
   */
  readonly kind: 'error' | 'death' | 'pause' | 'sleep';
  /** Length of a pause. */
  readonly forMs?: number;
}

/** The error that the worker sees. */
export class Severed extends Error {
  override name = 'Severed';
}

export function createFuse(clock?: Pick<Clock, 'sleep'>): Fuse {
  let calls = 0;
  const counts = { 'data-service': 0, hubspot: 0, marks: 0, books: 0 };
  let blown = false;
  let pausing: Promise<void> | undefined;
  let plan: FusePlan | undefined;
  const fail = () => {
    blown ||= plan?.kind === 'death';
    return new Severed('Cut off on purpose.');
  };
  const run = async <R>(call: () => Promise<R>, to?: Callee): Promise<R> => {
    await pausing;
    if (blown) throw fail();
    calls += 1;
    if (to) counts[to] += 1;
    const place = plan?.among === undefined ? calls : to === plan.among && counts[plan.among];
    const isStruck = place === plan?.at;
    const pause = () => (pausing = clock?.sleep(plan?.forMs ?? 0));
    // After the start of a send, a stopped process equals a request that takes long.
    const isPause = plan?.kind === 'pause' || plan?.kind === 'sleep';
    const isBefore = plan?.effect === 'none' && to !== 'hubspot';
    if (isStruck && isPause && isBefore) await pause();
    if (!plan || !isStruck || isPause) {
      const result = await call();
      await (isStruck && !isBefore ? pause() : pausing);
      if (blown) throw fail();
      return result;
    }
    if (plan.effect === 'done') await call();
    throw fail();
  };
  return {
    calls: () => calls,
    isBlown: () => blown,
    arm: (wanted) => {
      plan = wanted;
    },
    blow: () => {
      blown = plan?.kind !== 'sleep';
    },
    run,
    store: (store) => watchedStore(store, (request, send) => run(send, calleeOf(request))),
  };
}

function calleeOf(request: StoreRequest): Callee | undefined {
  if (request.kind !== 'transact') return undefined;
  if (touches(request, ledgerEntryKind)) return 'books';
  return touches(request, questionKind) ? 'marks' : undefined;
}
