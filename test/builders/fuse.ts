import type { Clock } from '#inside/kernel/clock.ts';

/** A worker's life line: counts what it asks of the outside, and can cut it off at any one of these calls. */
export interface Fuse {
  /** Calls so far. */
  calls(): number;
  /** Whether the worker is dead: nothing it does reaches the outside any more. */
  isBlown(): boolean;
  arm(plan: FusePlan): void;
  blow(): void;
  /** @param to whom it goes; to a store unless told. */
  run<R>(call: () => Promise<R>, to?: Callee): Promise<R>;
  /**
   * The same port, through the fuse. All its functions have to be asynchronous.
   * @param writes what its writes count as.
   */
  guard<T extends object>(port: T, writes?: 'marks' | 'books'): T;
}

/** `marks`: writes of questions, among them the one that is made right before asking. `books`: entries of the ledger. */
type Callee = 'data-service' | 'hubspot' | 'marks' | 'books';

export interface FusePlan {
  /** The call, counted from 1, that fails. */
  readonly at: number;
  /** Which calls count; all of them unless told. */
  readonly among?: Callee;
  /** Whether its effect still comes about. */
  readonly effect: 'none' | 'done';
  /**
   * `death`: all calls after it fail as well, as those of a process that is no more. `pause`: the process stands still,
   * with all its calls, and then goes on as if nothing had been. `sleep`: the same, of one that nobody ends meanwhile: a
   * command on a laptop, say.
   */
  readonly kind: 'error' | 'death' | 'pause' | 'sleep';
  /** Of a pause. */
  readonly forMs?: number;
}

/** What the worker sees of it. */
export class Severed extends Error {
  override name = 'Severed';
}

export function createFuse(clock?: Pick<Clock, 'sleep'>): Fuse {
  let calls = 0;
  const counts = { 'data-service': 0, hubspot: 0, marks: 0, books: 0 };
  let blown = false;
  let standing: Promise<void> | undefined;
  let plan: FusePlan | undefined;
  const fail = () => {
    blown ||= plan?.kind === 'death';
    return new Severed('Cut off on purpose.');
  };
  const run = async <R>(call: () => Promise<R>, to?: Callee): Promise<R> => {
    await standing;
    if (blown) throw fail();
    calls += 1;
    if (to) counts[to] += 1;
    const place = plan?.among === undefined ? calls : to === plan.among && counts[plan.among];
    const isStruck = place === plan?.at;
    const pause = () => (standing = clock?.sleep(plan?.forMs ?? 0));
    // Once it has begun to send, a process that stands still is a request that is under way for long.
    const isPause = plan?.kind === 'pause' || plan?.kind === 'sleep';
    const isBefore = plan?.effect === 'none' && to !== 'hubspot';
    if (isStruck && isPause && isBefore) await pause();
    if (!plan || !isStruck || isPause) {
      const result = await call();
      await (isStruck && !isBefore ? pause() : standing);
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
    guard: (port, writes) =>
      new Proxy(port, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          const to = name === 'write' || name === 'append' ? writes : undefined;
          return (...given: unknown[]) => run(async () => Reflect.apply(member, target, given), to);
        },
      }),
  };
}
