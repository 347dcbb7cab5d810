import type { Send } from '#shared/http';
import { type Clock, clockOffsetMs, parseJson, type ReferenceClock } from '#shared/kernel';

export interface ServerClock {
  readonly host: string;
  /** Time in the answer's `Date` header, which is exact to the second. Epoch milliseconds. */
  readonly serverMs: number;
  /** Time of the answer by our own clock. */
  readonly receivedAtMs: number;
}

export interface ServerSeen {
  readonly host: string;
  readonly rateHeaders: Readonly<Record<string, string>>;
  /** Text of the latest 404. */
  readonly notFound: string | undefined;
}

export interface ObservedSend {
  readonly send: Send;
  serverClocks(): readonly ServerClock[];
  serversSeen(): readonly ServerSeen[];
  /** Compares our clock with the server that answered last. */
  readonly referenceClock: ReferenceClock;
}

/** Wraps a sender, and records the clock and the rate headers of every server that has answered. */
export function observedSend(send: Send, clock: Pick<Clock, 'monotonic'>): ObservedSend {
  const clocks = new Map<string, ServerClock>();
  const servers = new Map<string, ServerSeen>();
  let offsetMs = 0;
  return {
    send: async (request) => {
      const sentAt = clock.monotonic();
      const response = await send(request);
      const tookMs = clock.monotonic() - sentAt;
      const serverMs = Date.parse(response.headers['date'] ?? '');
      const { host } = new URL(request.url);
      const { receivedAtMs } = response;
      if (Number.isFinite(serverMs)) {
        clocks.set(host, { host, serverMs, receivedAtMs });
        offsetMs = clockOffsetMs({ serverMs, receivedAtMs, tookMs });
      }
      const notFound = response.status === 404 ? wordsOf(response.body) : servers.get(host)?.notFound;
      const rateHeaders = Object.fromEntries(
        Object.entries(response.headers).filter(([name]) => /rate-?limit|^retry-after$/.test(name)),
      );
      servers.set(host, { host, rateHeaders, notFound });
      return response;
    },
    serverClocks: () => [...clocks.values()],
    serversSeen: () => [...servers.values()],
    referenceClock: { offsetMs: () => offsetMs },
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

/** Sends requests until it is closed. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}
