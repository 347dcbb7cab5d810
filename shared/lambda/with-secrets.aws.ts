import type { Send } from '#shared/http';
import { createUndiciSend } from '#shared/http/adapters';
import { type Clock, type Digest, type Logger, SECOND_MS, UpstreamError } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import type { SecretKey, Secrets } from '#shared/secrets';
import { openSecrets } from '#shared/secrets/adapters';
import type { SecretsEnv } from './env.ts';

export interface Unlocked<K extends SecretKey> {
  readonly secrets: Pick<Secrets, K>;
  /** Digest with the installation's secret as its key. */
  readonly digest: Digest;
  /** Sends requests to HubSpot and the data service. If a service refuses a key, the secrets are read again soon. */
  readonly send: Send;
}

type Handle<E, C, R> = (event: E, context: C) => Promise<R>;

/**
 * Composes the handler at its first call, from the installation's secret and the named secrets. If a secret has
 * changed, composes the handler again, so that a rotated key needs no deployment.
 */
export function withSecrets<E, C, R, K extends SecretKey>(
  settings: { env: SecretsEnv; keys: readonly K[]; clock: Clock; logger: Logger },
  compose: (unlocked: Unlocked<K | 'installationSecret'>) => Handle<E, C, R>,
): Handle<E, C, R> {
  const { env, clock, logger } = settings;
  const keys = [...settings.keys, 'installationSecret'] as const;
  const reader = openSecrets<K | 'installationSecret'>(env, { keys, clock, logger });
  const transport = createUndiciSend({ clock, connectTimeoutMs: 5 * SECOND_MS });
  const send = reportRefusals(transport.send, reader.doubt);
  let current: { readonly secrets: object; readonly handle: Handle<E, C, R> } | undefined;
  return async (event, context) => {
    const secrets = await reader.read();
    if (current?.secrets !== secrets) {
      const digest = createDigest(secrets.installationSecret);
      current = { secrets, handle: compose({ secrets, digest, send }) };
    }
    return current.handle(event, context);
  };
}

/**
 * Lets a scheduled handler end without an error while keys are missing, so that an installation in set-up raises no
 * alarm. Logs that keys are missing.
 */
export function skipWithoutKeys<E, C, R>(
  logger: Logger,
  handle: Handle<E, C, R>,
): Handle<E, C, R | undefined> {
  return async (event, context) => {
    try {
      return await handle(event, context);
    } catch (error) {
      if (!(error instanceof UpstreamError && error.code === 'SECRETS_MISSING')) throw error;
      logger.warn('keys-missing', { reason: error.message });
      return undefined;
    }
  };
}

/** @param onRefused called when HubSpot or the data service refuses a key (401). */
function reportRefusals(send: Send, onRefused: () => void): Send {
  return async (request) => {
    const response = await send(request);
    if (response.status === 401) onRefused();
    return response;
  };
}
