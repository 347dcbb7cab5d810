import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chargeOf } from './price-list.ts';

/** A request that the data service answered, whether the client received the answer or not. */
export interface Answered {
  readonly what: string;
  readonly status: number;
  readonly credits: number;
}

export interface CountingProxy {
  readonly url: string;
  /** In the order of the answers, including free ones. */
  readonly answers: readonly Answered[];
  /** Errors of the proxy itself. With one, the run proves nothing. */
  readonly failures: readonly string[];
  /** Number of answers that it dropped. */
  cuts(): number;
  /** Number of requests without an answer so far. */
  underWay(): number;
  close(): Promise<void>;
}

/**
 * Forwards requests to the data service, and counts independently from the traffic alone. Sometimes it drops the
 * connection after the answer has arrived.
 * @param options.isCut drawn for each answer that costs credits.
 */
export async function openCountingProxy(options: {
  readonly target: string;
  readonly isCut: () => boolean;
}): Promise<CountingProxy> {
  const answers: Answered[] = [];
  const failures: string[] = [];
  let cuts = 0;
  let underWay = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = await forwarded(request, options.target);
    const what = `${request.method} ${request.url}`;
    const credits = chargeOf(what, { status, text });
    answers.push({ what, status, credits });
    if (credits > 0 && options.isCut()) {
      cuts += 1;
      request.socket.destroy();
    } else response.writeHead(status, headers).end(text);
  };
  const server = createServer((request, response) => {
    underWay += 1;
    pass(request, response)
      .catch((error: unknown) => {
        failures.push(String(error));
        request.socket.destroy();
      })
      .finally(() => {
        underWay -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    failures,
    cuts: () => cuts,
    underWay: () => underWay,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reads the whole answer even if the client is gone, because the charge does not depend on the client. */
async function forwarded(request: IncomingMessage, target: string) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { 'x-api-key': key, 'content-type': type } = request.headers;
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { ...(key && { 'x-api-key': String(key) }), ...(type && { 'content-type': type }) },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const kept = [...answer.headers].filter(([name]) => /^(?:date|content-type|x-ratelimit-.*)$/.test(name));
  return { status: answer.status, headers: Object.fromEntries(kept), text: await answer.text() };
}
