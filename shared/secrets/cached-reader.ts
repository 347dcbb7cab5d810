import { type Clock, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { SecretKey } from './names.ts';
import { parseSecrets, type SecretDocumentTexts } from './schemas.ts';
import type { Secrets, SecretsReader } from './secrets.ts';

/** A rotated secret is picked up this soon; a reading costs money and time. */
const KEEP_MS = 5 * MINUTE_MS;
/** A key that is refused for good must not make every call a reading. */
const KEEP_DOUBTED_MS = 30 * SECOND_MS;

interface Known<K extends SecretKey> {
  readonly documents: SecretDocumentTexts;
  readonly secrets: Pick<Secrets, K>;
  readonly atMs: number;
}

/**
 * Keeps the secrets for some minutes; calls that come at the same time share one reading, failed or not. A caller that has
 * good ones keeps them while they cannot be read again: an outage of their store, or a slip in an edit, must
 * not stop work that needs nothing new.
 */
export function createCachedReader<K extends SecretKey>({
  keys,
  source,
  clock,
  onUnreadable,
}: {
  keys: readonly K[];
  /** The document of a key. */
  source: (key: K) => Promise<string>;
  clock: Pick<Clock, 'monotonic'>;
  /** Told when the known ones are kept because a reading failed. */
  onUnreadable: (error: unknown) => void;
}): SecretsReader<K> {
  let known: Known<K> | undefined;
  let keepMs = KEEP_MS;
  let reading: Promise<Known<K>> | undefined;
  const readOrKeep = async (): Promise<Known<K>> => {
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
  const readAnew = async (): Promise<Known<K>> => {
    const documents = new Map(await Promise.all(keys.map(async (key) => [key, await source(key)] as const)));
    const isSame = keys.every((key) => documents.get(key) === known?.documents.get(key));
    const secrets = known && isSame ? known.secrets : parseSecrets(keys, documents);
    known = { documents, secrets, atMs: clock.monotonic() };
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
