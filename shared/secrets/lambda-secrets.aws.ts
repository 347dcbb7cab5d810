import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { createCachedReader } from './cached-reader.ts';
import { createSecretSource } from './reader.secrets.ts';
import { createParameterSource } from './reader.ssm.ts';
import type { SecretsReader } from './secrets.ts';

/**
 * The installation's secrets from where the stack keeps them. Both clients are imported statically: of a dynamic
 * import the bundler keeps the whole package, which weighs more than both together.
 */
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
