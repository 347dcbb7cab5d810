import {
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import type { DocumentReader } from './secrets.ts';
import { unreadable } from './unreadable.ts';

/** Reads documents from Secrets Manager. */
export function createSecretSource(settings: SecretsManagerClientConfig): DocumentReader {
  const client = new SecretsManagerClient(settings);
  return async (name) => {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: name }));
      return SecretString ?? '';
    } catch (error) {
      throw unreadable(`the secret ${name}`, error);
    }
  };
}
