import type { Clock } from '#shared/kernel';

export interface ManualClock extends Clock {
  /** Advances by `ms`. Each sleeper wakes at its own time, and its work runs before the next sleeper wakes. */
  advance(ms: number): Promise<void>;
  sleepers(): number;
}

export interface ManualClockOptions {
  /** Epoch milliseconds. */
  readonly startMs: number;
  /** Advances to the next sleeper when no other work is left. */
  readonly autoAdvance?: boolean;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Creates a clock of virtual time. Sleeps take no real time, and every run has the same order of events. */
export function createManualClock({ startMs, autoAdvance = false }: ManualClockOptions): ManualClock {
  let nowMs = startMs;
  let running = false;
  const asleep = new Set<Sleeper>();

  const wakeNext = (untilMs: number): boolean => {
    const next = earliest(asleep);
    if (!next || next.atMs > untilMs) return false;
    asleep.delete(next);
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    return true;
  };

  const runAll = async () => {
    if (running) return;
    running = true;
    do await settled();
    while (wakeNext(Number.POSITIVE_INFINITY));
    running = false;
  };

  return {
    now: () => nowMs,
    monotonic: () => nowMs - startMs,
    sleepers: () => asleep.size,
    sleep: (ms, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (signal?.aborted) {
        reject(signal.reason);
        return promise;
      }
      const giveUp = () => {
        asleep.delete(sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const sleeper = { atMs: nowMs + Math.max(0, Math.ceil(ms)), wake };
      asleep.add(sleeper);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (autoAdvance) void runAll();
      return promise;
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      do await settled();
      while (wakeNext(untilMs));
      nowMs = Math.max(nowMs, untilMs);
      await settled();
    },
  };
}

/** Finds the sleeper that wakes first. Of several with the same time, the one that began to sleep first is returned. */
function earliest(asleep: ReadonlySet<Sleeper>): Sleeper | undefined {
  let found: Sleeper | undefined;
  for (const sleeper of asleep) if (!found || sleeper.atMs < found.atMs) found = sleeper;
  return found;
}

/** Runs all work that is ready. Between two sleeps, tests queue only microtasks. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
