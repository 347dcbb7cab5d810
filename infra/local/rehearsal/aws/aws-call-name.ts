/** The parts of a signed request to AWS that identify the call. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** Headers `authorization` and `x-amz-target`. */
  readonly authorization: string;
  readonly target: string;
  readonly body: string;
}

/** A call of AWS that was sent. */
export interface RecordedCall {
  /** The access key that signed the call. It belongs to the deployer, or to a role that the CDK assumed. */
  readonly accessKeyId: string;
  /** Name as in an IAM policy: `dynamodb:DescribeTable`. */
  readonly action: string;
}

/** Service names in signatures that differ from the names in IAM policies, with the latter. */
const PREFIXES: Readonly<Record<string, string>> = { email: 'ses', monitoring: 'cloudwatch' };

/** Call names of services whose requests have a path but no call name. */
const REST: readonly (readonly [RegExp, string])[] = [
  [/^GET \/2015-03-31\/functions\/[\w-]+\/aliases\//, 'GetAlias'],
  [/^PUT \/2015-03-31\/functions\/[\w-]+\/aliases\//, 'UpdateAlias'],
  [/^GET \/2015-03-31\/functions\/[\w-]+\/versions/, 'ListVersionsByFunction'],
];

/** @returns `undefined` for a request that is not signed for AWS */
export function recordedCall(request: SentRequest): RecordedCall | undefined {
  const { method, path, authorization, target, body } = request;
  const signed = /Credential=([^/]+)\/\d+\/[^/]+\/([\w-]+)\/aws4_request/.exec(authorization);
  if (!signed) return undefined;
  const [, accessKeyId = '', service = ''] = signed;
  const rest = REST.find(([call]) => call.test(`${method} ${path}`))?.[1] ?? 'Rest';
  const name = target.split('.').at(-1) || new URLSearchParams(body).get('Action') || rest;
  return { accessKeyId, action: `${PREFIXES[service] ?? service}:${name}` };
}
