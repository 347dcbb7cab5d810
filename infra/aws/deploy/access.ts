import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';

/**
 * Looks up once the caller and the region, and puts both into the environment, for the clients here and for
 * the CDK's command line: a profile that asks for a code of multi-factor authentication does so once and not for
 * every command, which would need a new code each.
 * @param ask shows a question and resolves with the line that was typed
 * @throws ConfigurationError where there are no credentials or no region
 */
export async function settleAccess(
  environment: NodeJS.ProcessEnv,
  ask: (question: string) => Promise<string>,
): Promise<void> {
  // The CDK knows two names of the variable for the region, the SDK one of them.
  const named = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  // The client hands all its settings on to the sources of credentials, which ask for the code.
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
    throw new ConfigurationError(
      `AWS is not reached: ${error.message} Set AWS_PROFILE (for single sign-on after "aws sso login") and AWS_REGION.`,
    );
  } finally {
    client.destroy();
  }
  // A profile would come before the keys.
  delete environment['AWS_PROFILE'];
  delete environment['AWS_DEFAULT_PROFILE'];
}
