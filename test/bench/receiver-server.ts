import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock as clock } from '#shared/kernel/adapters';
import type { WorkQueue } from '#shared/work-queue';
import { createSqsQueue } from '#shared/work-queue/adapters';
import { createHandler } from '../../functions/receive-webhook/handler.ts';
import { startEmbeddedQueues } from '../builders/embedded-queues.ts';
import { oneQueue } from '../builders/one-queue.ts';

export const CLIENT_SECRET = 'client-secret-of-the-bench';
export const PUBLIC_URL = 'https://hooks.example/hubspot';

/** `bare` checks the signature and answers; `receiver` is our receiver over a memory queue; `sqs` over an SQS queue. */
export type ServerKind = 'bare' | 'receiver' | 'sqs';

type Answer = (request: IncomingMessage, body: Buffer) => Promise<number> | number;

/**
 * The process of one server. Its first argument selects the kind. It sends its port to its parent, and on request its
 * processor time.
 */
if (process.send && process.argv[1] === import.meta.filename) {
  const answers: Readonly<Record<string, () => Promise<Answer> | Answer>> = {
    bare: () => answerBare,
    receiver: () => answerWith({ send: async () => undefined }),
    sqs: async () => answerWith(await startQueue()),
  };
  const make = answers[process.argv[2] ?? ''];
  if (!make) throw new Error('There is no such server.');
  // Any message requests this process's processor time so far, in microseconds.
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  serve(await make());
}

function serve(answer: Answer): void {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(await answer(request, Buffer.concat(chunks))).end();
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

/** A minimal receiver: checks the signature, and ignores the events. */
function answerBare({ headers, method = '' }: IncomingMessage, body: Buffer): number {
  const stamp = String(headers['x-hubspot-request-timestamp']);
  const expected = createHmac('sha256', CLIENT_SECRET)
    .update(method + PUBLIC_URL)
    .update(body)
    .update(stamp)
    .digest();
  const given = Buffer.from(String(headers['x-hubspot-signature-v3']), 'base64');
  const fresh = Math.abs(clock.now() - Number(stamp)) <= 300_000;
  return fresh && given.length === expected.length && timingSafeEqual(given, expected) ? 200 : 401;
}

function answerWith(queue: WorkQueue): Answer {
  const receive = createHandler({
    queues: oneQueue(queue),
    clientSecret: async () => CLIENT_SECRET,
    publicUrl: PUBLIC_URL,
    ownAppId: '7001',
    clock,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return async ({ method = '', headers }, body) => {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    const { statusCode } = await receive({
      requestContext: { http: { method } },
      headers: Object.fromEntries(texts),
      body: body.toString('utf8'),
      isBase64Encoded: false,
    });
    return statusCode;
  };
}

/** Runs in this process too, so that its work counts for the receiver. */
async function startQueue(): Promise<WorkQueue> {
  const { sqs, queueUrls } = await startEmbeddedQueues();
  return createSqsQueue({ client: sqs, queueUrl: queueUrls.live });
}
