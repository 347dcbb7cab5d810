import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
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

/** Keeps the secrets for some minutes; calls that come at the same time share one reading, failed or not. */
export function createCachedReader({
  source,
  clock,
}: {
  source: SecretSource;
  clock: Pick<Clock, 'monotonic'>;
}): SecretsReader {
  let known: Known | undefined;
  let keepMs = KEEP_MS;
  let reading: Promise<Known> | undefined;
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
      reading ??= readAnew().finally(() => {
        reading = undefined;
      });
      return (await reading).secrets;
    },
    doubt: () => {
      keepMs = KEEP_DOUBTED_MS;
    },
  };
}
