import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import type { CliIo } from '../terminal/cli-io.ts';

type Service = 'CLOUDFORMATION' | 'DYNAMODB' | 'SNS' | 'SQS' | 'SSM';

/** Settings of the AWS client of a service. */
export type StackAccess = ReturnType<typeof openAccess>;

/**
 * Opens access to AWS with the environment's region and addresses. As in `npm run deploy`, the SDK chooses the
 * credentials, and a named profile takes precedence over keys in the environment. All clients share the credentials,
 * so that a profile with multi-factor authentication asks for only one code.
 */
export function openAccess({ env, terminal }: Pick<CliIo, 'env' | 'terminal'>) {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const mfaCodeProvider =
    terminal && (async (serial: string) => (await terminal.ask(`Code of ${serial}: `)) ?? '');
  // The client passes its settings on to the credential providers.
  const first = new CloudFormationClient({
    ...AWS_TIMEOUTS,
    ...(region && { region }),
    ...(mfaCodeProvider && { mfaCodeProvider }),
  });
  const { credentials } = first.config;
  return (service: Service) => {
    const endpoint = env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL'];
    return { ...AWS_TIMEOUTS, credentials, ...(region && { region }), ...(endpoint && { endpoint }) };
  };
}
