import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';
import type { Ask } from './terminal.ts';

/**
 * Reads the caller and the region once, and stores both in the environment for the AWS clients and the CDK's command
 * line. So a profile with multi-factor authentication asks for one code, not one for each command.
 * @throws ConfigurationError if there are no credentials or no region
 */
export async function settleAccess(environment: NodeJS.ProcessEnv, ask: Ask): Promise<void> {
  // The CDK reads the region from two variables, but the SDK only from one.
  const named = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  // The client passes its settings to the credential providers, which ask for the code.
  const mfaCodeProvider = (serial: string) => ask(`Code of ${serial}: `);
  const client = new CloudFormationClient({
    ...AWS_TIMEOUTS,
    ...(named && { region: named }),
    ...{ mfaCodeProvider },
  });
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
    environment['AWS_REGION'] = await client.config.region();
    environment['AWS_ACCESS_KEY_ID'] = accessKeyId;
    environment['AWS_SECRET_ACCESS_KEY'] = secretAccessKey;
    delete environment['AWS_SESSION_TOKEN'];
    if (sessionToken !== undefined) environment['AWS_SESSION_TOKEN'] = sessionToken;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ConfigurationError('no-access', { reason: error.message.replace(/\.$/, '') });
  } finally {
    client.destroy();
  }
  // A profile would take precedence over the keys.
  delete environment['AWS_PROFILE'];
  delete environment['AWS_DEFAULT_PROFILE'];
}
