import { type Clock, MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { parseSecrets } from './schemas.ts';
import type { SecretSource, Secrets, SecretsReader } from './secrets.ts';

/** A rotated secret is picked up this soon; a reading costs money and time. */
const KEEP_MS = 5 * MINUTE_MS;
/** A key that is refused for good must not make every call a reading. */
const KEEP_DOUBTED_MS = 30 * SECOND_MS;

interface Known {
  readonly document: string;
  readonly secrets: Secrets;
  readonly atMs: number;
}

/**
 * Keeps the secrets for some minutes; calls that come at the same time share one reading, failed or not. Whoever has
 * good ones goes on with them while they cannot be read again: an outage of their store, or a slip in an edit, must
 * not stop work that needs nothing new.
 */
export function createCachedReader({
  source,
  clock,
  onUnreadable,
}: {
  source: SecretSource;
  clock: Pick<Clock, 'monotonic'>;
  /** Told when the known ones are kept because a reading failed. */
  onUnreadable: (error: unknown) => void;
}): SecretsReader {
  let known: Known | undefined;
  let keepMs = KEEP_MS;
  let reading: Promise<Known> | undefined;
  const readOrKeep = async (): Promise<Known> => {
    try {
      return await readAnew();
    } catch (error) {
      if (!known) throw error;
      onUnreadable(error);
      known = { ...known, atMs: clock.monotonic() };
      keepMs = KEEP_DOUBTED_MS;
      return known;
    }
  };
  const readAnew = async (): Promise<Known> => {
    const document = await source();
    const secrets = document === known?.document ? known.secrets : parseSecrets(document);
    known = { document, secrets, atMs: clock.monotonic() };
    keepMs = KEEP_MS;
    return known;
  };
  return {
    read: async () => {
      if (known && clock.monotonic() - known.atMs < keepMs) return known.secrets;
      reading ??= readOrKeep().finally(() => {
        reading = undefined;
      });
      return (await reading).secrets;
    },
    doubt: () => {
      keepMs = KEEP_DOUBTED_MS;
    },
  };
}
