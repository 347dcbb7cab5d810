import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RecordedCall, recordedCall } from '../../infra/local/rehearsal/aws/aws-call-name.ts';

/** Forwards calls from a command to the stand-in for AWS, and records each. Changes nothing. */
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

function callOf({ headers, method = '', url: path = '' }: IncomingMessage, body: string) {
  const [authorization, target] = [headers['authorization'], headers['x-amz-target']].map((one) =>
    String(one ?? ''),
  );
  return recordedCall({ method, path, authorization: authorization ?? '', target: target ?? '', body });
}
