import type { Clock } from '#shared/kernel';

export interface Queued<R> {
  readonly key: string;
  readonly run: () => Promise<R>;
  /** The run starts at this time at the latest, epoch milliseconds. */
  readonly notAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work with the same key one after the other, within one process. This only saves repeated reads of the stored
 * question. It is no lock: work that has no more time starts beside its predecessor.
 */
export function createOneByOne(clock: Clock): <R>(queued: Queued<R>) => Promise<R> {
  const newest = new Map<string, Promise<unknown>>();
  return async (queued) => {
    const { key, run } = queued;
    const before = newest.get(key);
    const mine = before ? ended(clock, before, queued).then(run) : run();
    newest.set(key, mine);
    try {
      return await mine;
    } finally {
      if (newest.get(key) === mine) newest.delete(key);
    }
  };
}

/** Waits until the predecessor has ended in any way, or until `notAfterMs`. */
async function ended(
  clock: Clock,
  before: Promise<unknown>,
  { notAfterMs, signal }: Pick<Queued<unknown>, 'notAfterMs' | 'signal'>,
): Promise<void> {
  const over = new AbortController();
  const signals = signal ? [over.signal, signal] : [over.signal];
  const atLast = clock.sleep(Math.max(0, notAfterMs - clock.now()), AbortSignal.any(signals));
  await Promise.allSettled([Promise.race([before, atLast])]);
  over.abort();
}
