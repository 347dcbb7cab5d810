import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/**
 * Forwards calls from a command to the stand-in for AWS, and records each.
 * @param isRefused selects calls that are answered like a missing permission, and not forwarded
 */
export async function startRecorder(port: number, isRefused: (call: RecordedCall) => boolean = () => false) {
  const calls: RecordedCall[] = [];
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => void parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      const call = callOf(incoming, body.toString('utf8'));
      if (call) calls.push(call);
      if (call && isRefused(call)) return refuse(incoming, outgoing);
      const { method, url: path, headers } = incoming;
      const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', (error) => void outgoing.destroy(error));
      forwarded.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: calls as readonly RecordedCall[],
    close: () => void server.close(),
  };
}

function refuse({ headers }: IncomingMessage, outgoing: ServerResponse): void {
  const [code, message] = ['AccessDenied', 'refused by the test'];
  const xml = `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
  outgoing.writeHead(403);
  outgoing.end(headers['x-amz-target'] ? JSON.stringify({ __type: code, message }) : xml);
}

/** @returns `undefined` for a request that is not signed for AWS */
function callOf({ headers, method, url }: IncomingMessage, body: string): RecordedCall | undefined {
  const authorization = String(headers['authorization'] ?? '');
  const signed = /Credential=([^/]+)\/\d+\/[^/]+\/([\w-]+)\/aws4_request/.exec(authorization);
  if (!signed) return undefined;
  const [, accessKeyId = '', service = ''] = signed;
  const rest = REST.find(([call]) => call.test(`${method} ${url}`))?.[1] ?? 'Rest';
  const target = String(headers['x-amz-target'] ?? '');
  const name = target.split('.').at(-1) || new URLSearchParams(body).get('Action') || rest;
  return { accessKeyId, action: `${PREFIXES[service] ?? service}:${name}` };
}
