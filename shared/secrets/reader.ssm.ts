import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';
import type { DocumentReader } from './secrets.ts';
import { unreadable } from './unreadable.ts';

/** Reads documents from SecureStrings of Parameter Store, which are free and have at most 4 KB. */
export function createParameterSource(settings: SSMClientConfig): DocumentReader {
  const client = new SSMClient(settings);
  return async (name) => {
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
      return Parameter?.Value ?? '';
    } catch (error) {
      throw unreadable(`the parameter ${name}`, error);
    }
  };
}
