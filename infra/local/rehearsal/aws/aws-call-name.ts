/** A signed request to AWS, as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** Headers `authorization` and `x-amz-target`. */
  readonly authorization: string;
  readonly target: string;
  readonly body: string;
}

/** A call of AWS as it went over the wire. */
export interface RecordedCall {
  /** The access key that signed it: of the deployer, or of a role that the CDK has taken. */
  readonly accessKeyId: string;
  /** As in a policy: `dynamodb:DescribeTable`. */
  readonly action: string;
}

/** Names of services in signatures that differ from those in policies. */
const PREFIXES: Readonly<Record<string, string>> = { email: 'ses', monitoring: 'cloudwatch' };

/** Of services whose calls have a path and no name. */
const REST: readonly (readonly [RegExp, string])[] = [
  [/^GET \/2015-03-31\/functions\/[\w-]+\/aliases\//, 'GetAlias'],
  [/^PUT \/2015-03-31\/functions\/[\w-]+\/aliases\//, 'UpdateAlias'],
  [/^GET \/2015-03-31\/functions\/[\w-]+\/versions/, 'ListVersionsByFunction'],
];

/** @returns nothing for a request that is not signed for AWS */
export function recordedCall(request: SentRequest): RecordedCall | undefined {
  const { method, path, authorization, target, body } = request;
  const signed = /Credential=([^/]+)\/\d+\/[^/]+\/([\w-]+)\/aws4_request/.exec(authorization);
  if (!signed) return undefined;
  const [, accessKeyId = '', service = ''] = signed;
  const rest = REST.find(([call]) => call.test(`${method} ${path}`))?.[1] ?? 'Rest';
  const name = target.split('.').at(-1) || new URLSearchParams(body).get('Action') || rest;
  return { accessKeyId, action: `${PREFIXES[service] ?? service}:${name}` };
}
