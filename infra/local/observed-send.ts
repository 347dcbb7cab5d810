import type { Send } from '#shared/http';
import { parseJson } from '#shared/kernel';

/** A server's clock, as read from one answer. */
export interface ServerClock {
  readonly host: string;
  /** Time in the answer's `Date` header, which is exact to the second. Epoch milliseconds. */
  readonly serverMs: number;
  /** Time of the answer by our own clock. */
  readonly receivedAtMs: number;
}

/** Headers and a text of a server's latest answers. */
export interface ServerSeen {
  readonly host: string;
  /** Rate-limit headers by name. */
  readonly rateHeaders: Readonly<Record<string, string>>;
  /** Text of the latest 404. */
  readonly notFound: string | undefined;
}

export interface ObservedSend {
  readonly send: Send;
  serverClocks(): readonly ServerClock[];
  serversSeen(): readonly ServerSeen[];
}

/** Wraps a sender, and records the clock and the rate headers of every server that has answered. */
export function observedSend(send: Send): ObservedSend {
  const clocks = new Map<string, ServerClock>();
  const servers = new Map<string, ServerSeen>();
  return {
    send: async (request) => {
      const response = await send(request);
      const serverMs = Date.parse(response.headers['date'] ?? '');
      const { host } = new URL(request.url);
      const { receivedAtMs } = response;
      if (Number.isFinite(serverMs)) clocks.set(host, { host, serverMs, receivedAtMs });
      const notFound = response.status === 404 ? wordsOf(response.body) : servers.get(host)?.notFound;
      const rateHeaders = Object.fromEntries(
        Object.entries(response.headers).filter(([name]) => /rate-?limit|^retry-after$/.test(name)),
      );
      servers.set(host, { host, rateHeaders, notFound });
      return response;
    },
    serverClocks: () => [...clocks.values()],
    serversSeen: () => [...servers.values()],
  };
}

/** `message` and `error` of a refusal, which have no personal data. */
function wordsOf(body: string): string {
  const { message, error } = Object(parseJson(body)) as Readonly<Record<string, unknown>>;
  return [message, error]
    .filter((text) => typeof text === 'string')
    .join(': ')
    .slice(0, LONGEST_WORDS);
}

const LONGEST_WORDS = 200;
