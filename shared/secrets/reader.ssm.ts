import { GetParameterCommand, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';
import { UpstreamError } from '#shared/kernel';
import type { DocumentReader } from './secrets.ts';

/** Reads documents from SecureStrings of Parameter Store, which are free and have at most 4 KB. */
export function createParameterSource(settings: SSMClientConfig): DocumentReader {
  const client = new SSMClient(settings);
  return async (name) => {
    try {
      const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
      return Parameter?.Value ?? '';
    } catch (cause) {
      const reason = cause instanceof Error ? cause.name : 'an unknown error';
      throw new UpstreamError({
        code: 'SECRETS_UNREADABLE',
        message: `The secret could not be read from the parameter ${name}: ${reason}.`,
        retryable: true,
        cause,
      });
    }
  };
}
