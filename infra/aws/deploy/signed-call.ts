import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';

const TIMEOUT_MS = 20_000;

export interface AwsCall {
  /** Service name in signatures and host names. */
  readonly service: string;
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Calls an AWS API without its client, because a few calls are not worth a dependency. The signer of the
 * CloudFormation client signs the call.
 * @returns the body of the answer
 * @throws ConfigurationError if AWS refuses, or cannot be reached
 */
export async function signedCall(call: AwsCall): Promise<string> {
  const { service, method = 'POST', path = '/', query = {}, body } = call;
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL: endpoint } = process.env;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(path, endpoint ?? `https://${service}.${region}.${suffix}`);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const unsigned = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: { ...query },
    headers: { host: url.host, 'content-type': 'application/json', ...call.headers },
    ...(body !== undefined && { body }),
  };
  const signer = await new CloudFormationClient(AWS_TIMEOUTS).config.signer();
  const { headers } = await signer.sign(unsigned, { signingService: service });
  const init = {
    method,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body }),
  };
  const name = service === 'lambda' ? 'Lambda' : service;
  const { ok, status, text } = await answerOf(url, init).catch((error: unknown) => {
    const where = endpoint === undefined ? `in the region ${region}` : 'at AWS_ENDPOINT_URL';
    const check = endpoint === undefined ? 'AWS_REGION and the network' : 'AWS_ENDPOINT_URL';
    throw new ConfigurationError(
      `${name} of AWS cannot be reached ${where}: ${reasonOf(error)}. Check ${check}.`,
    );
  });
  if (ok) return text;
  const shown = path.replace('/2015-03-31/functions/', '');
  throw new ConfigurationError(`${name} answered ${status} to ${method} ${shown}: ${text.slice(0, 300)}`);
}

async function answerOf(url: URL, init: RequestInit) {
  const response = await fetch(url, init);
  return { ok: response.ok, status: response.status, text: await response.text() };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
