import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import type { CliIo } from '../terminal/cli-io.ts';

type Service = 'CLOUDFORMATION' | 'DYNAMODB' | 'SECRETS_MANAGER' | 'SNS' | 'SQS' | 'SSM';

/** Settings of the AWS client of a service. */
export type StackAccess = ReturnType<typeof openAccess>;

/**
 * Region and addresses are those that the environment names. Credentials are the SDK's own matter, as in
 * `npm run deploy`: a profile that is named comes before keys that happen to be set. All clients share them, so that
 * a profile with multi-factor authentication asks once for its code, where a person can answer.
 */
export function openAccess({ env, terminal }: Pick<CliIo, 'env' | 'terminal'>) {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const mfaCodeProvider = terminal && ((serial: string) => terminal.ask(`Code of ${serial}: `));
  // The client hands all its settings on to the sources of credentials.
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
