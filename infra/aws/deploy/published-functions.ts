import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AWS_TIMEOUTS } from '#shared/http';
import { ConfigurationError } from '../configuration.ts';
import { LIVE_ALIAS } from '../names.ts';
import { type PublishedFunction, releaseIn } from './releases.ts';

const TIMEOUT_MS = 20_000;

/** A function's versions and where its alias points. @throws ConfigurationError if Lambda refuses */
export async function readPublished(name: string): Promise<PublishedFunction> {
  const { FunctionVersion } = await lambda('GET', `${name}/aliases/${LIVE_ALIAS}`);
  const versions: PublishedFunction['versions'][number][] = [];
  let marker: string | undefined;
  do {
    const query = marker === undefined ? {} : { Marker: marker };
    const { Versions = [], NextMarker } = await lambda('GET', `${name}/versions`, { query });
    for (const { Version, Description, LastModified } of Versions) {
      const release = releaseIn(String(Description));
      // Beside the published versions it lists $LATEST.
      if (release !== undefined && Version !== '$LATEST')
        versions.push({ version: Number(Version), release, publishedAt: String(LastModified) });
    }
    marker = NextMarker || undefined;
  } while (marker !== undefined);
  return { name, liveVersion: Number(FunctionVersion), versions };
}

/** Points the alias to a version. Requests in progress end on the former one. @throws ConfigurationError */
export async function pointAlias(name: string, version: number): Promise<void> {
  const body = JSON.stringify({ FunctionVersion: String(version) });
  await lambda('PUT', `${name}/aliases/${LIVE_ALIAS}`, { body });
}

interface LambdaRequest {
  readonly query?: Record<string, string>;
  readonly body?: string;
}

/** Lambda's own HTTP API: three calls do not pay for a client of their own. A client that is here signs them. */
async function lambda(method: 'GET' | 'PUT', path: string, { query = {}, body }: LambdaRequest = {}) {
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL: endpoint } = process.env;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(`/2015-03-31/functions/${path}`, endpoint ?? `https://lambda.${region}.${suffix}`);
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const unsigned = {
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query,
    headers: { host: url.host, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  };
  const signer = await new CloudFormationClient(AWS_TIMEOUTS).config.signer();
  const { headers } = await signer.sign(unsigned, { signingService: 'lambda' });
  const init = {
    method,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body }),
  };
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok)
    throw new ConfigurationError(
      `Lambda answered ${response.status} to ${method} ${path}: ${text.slice(0, 300)}`,
    );
  return JSON.parse(text);
}
