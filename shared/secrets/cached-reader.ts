import { type Clock, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { SecretKey } from './names.ts';
import { parseSecrets, type SecretDocumentTexts } from './schemas.ts';
import type { Secrets, SecretsReader } from './secrets.ts';

/** Cached this long, because a read costs money and time. A rotated secret takes effect after this. */
const KEEP_MS = 5 * MINUTE_MS;
/** Cached this long after a refusal, so that a permanently refused key does not cause a read for every call. */
const KEEP_DOUBTED_MS = 30 * SECOND_MS;

interface Known<K extends SecretKey> {
  readonly documents: SecretDocumentTexts;
  readonly secrets: Pick<Secrets, K>;
  readonly atMs: number;
}

/**
 * Caches the secrets for some minutes. Simultaneous calls share one read, also a failed one. If a later read fails, the
 * known secrets stay in use, because an outage of the store or a faulty edit must not stop work.
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
  /** Called if a read failed and the known secrets stay in use. */
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
