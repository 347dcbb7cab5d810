import type { Clock } from '#shared/kernel';

export interface Queued<R> {
  readonly key: string;
  readonly run: () => Promise<R>;
  /** The latest moment to begin at, epoch milliseconds. */
  readonly notAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Work with the same key goes one by one, within one process. It saves looking at the stored question again and
 * again, and promises nothing: a step without more time starts beside the one before it.
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

/** How the one before it ended is not this one's business. */
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
