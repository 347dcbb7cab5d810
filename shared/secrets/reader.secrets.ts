import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import type { SecretSource } from './secrets.ts';
import { unreadable } from './unreadable.ts';

/** The document as a secret of Secrets Manager. @param secretId its name or ARN. */
export function createSecretSource(secretId: string, settings: SecretsManagerClientConfig): SecretSource {
  const client = new SecretsManagerClient(settings);
  return async () => {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      return SecretString ?? '';
    } catch (error) {
      throw unreadable(`the secret ${secretId}`, error);
    }
  };
}
