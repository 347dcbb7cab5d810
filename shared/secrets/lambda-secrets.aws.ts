import { AWS_TIMEOUTS } from '#shared/http';
import { type Clock, errorCode, type Logger } from '#shared/kernel';
import { createCachedReader } from './cached-reader.ts';
import { createParameterSource } from './reader.ssm.ts';
import { OPTIONAL_KEYS, type SecretKey, type SecretsReader, secretName } from './secrets.ts';

/** Opens the secrets that a function needs. */
export function openSecrets<K extends SecretKey>(
  env: { readonly SECRET_PREFIX: string },
  { keys, clock, logger }: { keys: readonly K[]; clock: Clock; logger: Logger },
): SecretsReader<K> {
  const read = createParameterSource(AWS_TIMEOUTS);
  const onUnreadable = (error: unknown) => {
    logger.error('secret-kept-unread', { code: errorCode(error) });
  };
  const source = async (key: SecretKey) => {
    try {
      return await read(secretName(env.SECRET_PREFIX, key));
    } catch (error) {
      if (!OPTIONAL_KEYS.has(key)) throw error;
      onUnreadable(error);
      return '{}';
    }
  };
  return createCachedReader({ keys, source, clock, onUnreadable });
}
