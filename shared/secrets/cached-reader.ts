import { type Clock, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { parseSecrets, type SecretDocumentTexts } from './schemas.ts';
import type { SecretKey, Secrets, SecretsReader } from './secrets.ts';

/** How long secrets are cached, because a read costs money and time. A rotated secret takes effect after this time. */
const KEEP_MS = 5 * MINUTE_MS;
/**
 * How long secrets stay cached after a refusal, so that a permanently refused key does not cause a read for every call.
 */
const KEEP_DOUBTED_MS = 30 * SECOND_MS;

interface Known<K extends SecretKey> {
  readonly documents: SecretDocumentTexts;
  readonly secrets: Pick<Secrets, K>;
  readonly atMs: number;
}

/**
 * Caches the secrets for some minutes. Simultaneous calls share one read, even if it fails. If a later read fails, the
 * cached secrets stay in use, because an outage of the store or a faulty edit must not stop work.
 */
export function createCachedReader<K extends SecretKey>({
  keys,
  source,
  clock,
  onUnreadable,
}: {
  keys: readonly K[];
  /** Reads the document of a key. */
  source: (key: K) => Promise<string>;
  clock: Pick<Clock, 'monotonic'>;
  /** Called if a read failed and the cached secrets stay in use. */
  onUnreadable: (error: unknown) => void;
}): SecretsReader<K> {
  let cached: Known<K> | undefined;
  let keepMs = KEEP_MS;
  let reading: Promise<Known<K>> | undefined;
  const readOrKeep = async (): Promise<Known<K>> => {
    try {
      return await readFromSource();
    } catch (error) {
      if (!cached) throw error;
      onUnreadable(error);
      cached = { ...cached, atMs: clock.monotonic() };
      keepMs = KEEP_DOUBTED_MS;
      return cached;
    }
  };
  const readFromSource = async (): Promise<Known<K>> => {
    const documents = new Map(await Promise.all(keys.map(async (key) => [key, await source(key)] as const)));
    const isSame = keys.every((key) => documents.get(key) === cached?.documents.get(key));
    const secrets = cached && isSame ? cached.secrets : parseSecrets(keys, documents);
    cached = { documents, secrets, atMs: clock.monotonic() };
    keepMs = KEEP_MS;
    return cached;
  };
  return {
    read: async () => {
      if (cached && clock.monotonic() - cached.atMs < keepMs) return cached.secrets;
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
