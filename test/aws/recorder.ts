import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of AWS as it went over the wire. */
export interface RecordedCall {
  /** The access key that signed it: of the deployer, or of a role that the CDK has taken. */
  readonly accessKeyId: string;
  /** As in a policy: `dynamodb:DescribeTable`. */
  readonly action: string;
}

/** Stands between a command and the stand-in for AWS, and notes each call. Nothing is changed on its way. */
export async function startRecorder(port: number) {
  const calls: RecordedCall[] = [];
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => void parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      const call = callOf(incoming, body.toString('utf8'));
      if (call) calls.push(call);
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

/** Names of services in signatures that differ from those in policies. */
const PREFIXES: Readonly<Record<string, string>> = { email: 'ses', monitoring: 'cloudwatch' };

/** Of services whose calls have a path and no name. */
const REST: readonly (readonly [RegExp, string])[] = [
  [/^GET \/2015-03-31\/functions\/[\w-]+\/aliases\//, 'GetAlias'],
  [/^PUT \/2015-03-31\/functions\/[\w-]+\/aliases\//, 'UpdateAlias'],
  [/^GET \/2015-03-31\/functions\/[\w-]+\/versions/, 'ListVersionsByFunction'],
];

function callOf({ headers, method = '', url = '' }: IncomingMessage, body: string): RecordedCall | undefined {
  const signed = /Credential=([^/]+)\/\d+\/[^/]+\/([\w-]+)\/aws4_request/.exec(
    String(headers['authorization'] ?? ''),
  );
  if (!signed) return undefined;
  const [, accessKeyId = '', service = ''] = signed;
  const target = String(headers['x-amz-target'] ?? '');
  const rest = REST.find(([call]) => call.test(`${method} ${url}`))?.[1] ?? 'Rest';
  const name = target.split('.').at(-1) || new URLSearchParams(body).get('Action') || rest;
  return { accessKeyId, action: `${PREFIXES[service] ?? service}:${name}` };
}
