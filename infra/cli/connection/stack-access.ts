import type { CliIo } from '../terminal/cli-io.ts';

type Service = 'CLOUDFORMATION' | 'DYNAMODB' | 'SECRETS_MANAGER' | 'SQS' | 'SSM';

/**
 * Settings of an AWS client: region and addresses that the environment names. Credentials are the SDK's own matter,
 * as in `npm run deploy`: a profile that is named comes before keys that happen to be set.
 */
export function accessOf(env: CliIo['env'], service: Service) {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const endpoint = env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL'];
  return { ...(region && { region }), ...(endpoint && { endpoint }) };
}
