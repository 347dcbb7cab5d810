import { LambdaClient } from '@aws-sdk/client-lambda';
import { SignatureV4 } from '@smithy/signature-v4';
import { holds } from './checklist.ts';

interface Asked {
  /** Name of the service in signatures and addresses, such as `logs`. */
  readonly service: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Calls a service that has no client here, with the access of this process. @throws Error if AWS refuses */
async function askSigned({ service, headers, body }: Asked): Promise<string> {
  const { credentials, region: ownRegion, sha256 } = new LambdaClient().config;
  // IAM has one address for all regions.
  const [region, address] =
    service === 'iam' ? ['us-east-1', service] : [await ownRegion(), `${service}.${await ownRegion()}`];
  const url = new URL(process.env['AWS_ENDPOINT_URL'] ?? `https://${address}.amazonaws.com`);
  const { protocol, hostname, host } = url;
  const signer = new SignatureV4({ service, region, credentials, sha256 });
  const request = { method: 'POST', protocol, hostname, path: '/', headers: { ...headers, host }, body };
  const signed = await signer.sign(request);
  const response = await fetch(url, { method: 'POST', headers: signed.headers, body });
  const text = await response.text();
  holds(response.ok, `${service} answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** Calls CloudWatch Logs. @throws Error if AWS refuses */
export async function askLogs<T>(action: string, parameters: unknown): Promise<T> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `Logs_20140328.${action}`,
  };
  const text = await askSigned({ service: 'logs', headers, body: JSON.stringify(parameters) });
  return JSON.parse(text || '{}');
}

/** Calls IAM or STS. @returns the answer's XML @throws Error if AWS refuses */
export async function askService(
  service: 'iam' | 'sts',
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return askSigned({ service, headers, body: new URLSearchParams(parameters).toString() });
}
