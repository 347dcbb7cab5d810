import type { Clock } from '#shared/kernel/clock.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import { createSecretSource } from '#shared/secrets/reader.secrets.ts';
import { createParameterSource } from '#shared/secrets/reader.ssm.ts';
import { createCachedReader } from './cached-reader.ts';
import type { SecretsReader } from './secrets.ts';

/** The installation's secrets from where the stack keeps them. A bundle has only the reader that its stack uses. */
export function openSecrets(
  env: { readonly SECRET_SOURCE: 'secrets-manager' | 'ssm'; readonly SECRET_ID: string },
  { clock, logger }: { clock: Clock; logger: Logger },
): SecretsReader {
  const open = env.SECRET_SOURCE === 'ssm' ? createParameterSource : createSecretSource;
  const onUnreadable = (error: unknown) => {
    const code = error instanceof Error ? error.name : 'UNKNOWN';
    logger.error('secret-kept-unread', { code });
  };
  return createCachedReader({ source: open(env.SECRET_ID, {}), clock, onUnreadable });
}
