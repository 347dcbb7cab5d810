import type { Clock } from '#shared/kernel';

interface Queued<R> {
  readonly key: string;
  readonly run: () => Promise<R>;
  /** The run starts at this time at the latest, epoch milliseconds. */
  readonly notAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs work with the same key one after the other, within one process. This only saves repeated reads of the stored
 * question. It is no lock: at its `notAfterMs`, work starts even if its predecessor still runs.
 */
export function createOneByOne(clock: Clock): <R>(queued: Queued<R>) => Promise<R> {
  const newest = new Map<string, Promise<unknown>>();
  return async (queued) => {
    const { key, run } = queued;
    const predecessor = newest.get(key);
    const current = predecessor ? ended(clock, predecessor, queued).then(run) : run();
    newest.set(key, current);
    try {
      return await current;
    } finally {
      if (newest.get(key) === current) newest.delete(key);
    }
  };
}

/** Waits until the predecessor has ended in any way, or until `notAfterMs`. */
async function ended(
  clock: Clock,
  predecessor: Promise<unknown>,
  { notAfterMs, signal }: Pick<Queued<unknown>, 'notAfterMs' | 'signal'>,
): Promise<void> {
  const finished = new AbortController();
  const signals = signal ? [finished.signal, signal] : [finished.signal];
  const timeout = clock.sleep(Math.max(0, notAfterMs - clock.now()), AbortSignal.any(signals));
  await Promise.allSettled([Promise.race([predecessor, timeout])]);
  finished.abort();
}
