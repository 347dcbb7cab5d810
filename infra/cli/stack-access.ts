import type { CliIo } from './cli-io.ts';

type Service = 'CLOUDFORMATION' | 'DYNAMODB' | 'SECRETS_MANAGER' | 'SQS' | 'SSM';

/** Settings of an AWS client: what the environment names, and the SDK's own way to the rest. */
export function accessOf(env: CliIo['env'], service: Service) {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const endpoint = env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL'];
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const sessionToken = env['AWS_SESSION_TOKEN'];
  const keys = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return {
    ...(region && { region }),
    ...(endpoint && { endpoint }),
    ...(keys && { credentials: { ...keys, ...(sessionToken && { sessionToken }) } }),
  };
}
