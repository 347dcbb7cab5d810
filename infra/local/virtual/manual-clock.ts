import type { Clock } from '#shared/kernel';

export interface ManualClock extends Clock {
  /** Moves on by `ms`. On the way each sleeper wakes at its own time, and what it starts runs before the next one. */
  advance(ms: number): Promise<void>;
  /** How many sleep now. */
  sleepers(): number;
}

export interface ManualClockOptions {
  /** Epoch milliseconds. */
  readonly startMs: number;
  /** Time jumps to the next sleeper as soon as nothing else is left to do. */
  readonly autoAdvance?: boolean;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Virtual time: nothing ever waits for real, and a run takes the same course every time. */
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

  const runOn = async () => {
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
      if (autoAdvance) void runOn();
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

/** Of two with the same time, the one that fell asleep first. */
function earliest(asleep: ReadonlySet<Sleeper>): Sleeper | undefined {
  let found: Sleeper | undefined;
  for (const sleeper of asleep) if (!found || sleeper.atMs < found.atMs) found = sleeper;
  return found;
}

/** Lets everything run that is ready to run: all that a test of this house does between two sleeps are microtasks. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
