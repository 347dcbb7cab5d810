import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import { OutsideError } from '../kernel/errors.ts';
import { secretsSchema } from './schemas.ts';
import type { ReadSecrets, Secrets } from './secrets.ts';

/** A rotated secret is picked up this soon; a call costs money and time. */
const KEEP_MS = 5 * MINUTE_MS;

/** Reads the installation's secret, and keeps it for some minutes. @throws OutsideError `SECRETS_UNUSABLE` */
export function createSecretsReader(options: {
  client: SecretsManagerClient;
  secretId: string;
  clock: Clock;
}): ReadSecrets {
  const { client, secretId, clock } = options;
  let known: { readonly at: number; readonly secrets: Secrets } | undefined;
  return async () => {
    if (known && clock.monotonic() - known.at < KEEP_MS) return known.secrets;
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const secrets = parse(SecretString ?? '');
    known = { at: clock.monotonic(), secrets };
    return secrets;
  };
}

function parse(text: string): Secrets {
  const parsed = secretsSchema.safeParse(json(text));
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole');
  throw new OutsideError({
    code: 'SECRETS_UNUSABLE',
    message: `The secret is not the JSON document that is expected; look at ${names.join(', ')}.`,
    retryable: false,
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
