import type { Send } from '#shared/http/http-request.ts';

/** What a server's clock showed. */
export interface ServerClock {
  readonly host: string;
  /** Of its `Date` header, which is exact to the second. Epoch milliseconds. */
  readonly serverMs: number;
  /** By our own clock, when the answer had come. */
  readonly receivedAtMs: number;
}

/** The same sender, and the clock of every server that has answered so far. */
export function observedSend(send: Send): { send: Send; serverClocks: () => readonly ServerClock[] } {
  const clocks = new Map<string, ServerClock>();
  return {
    send: async (request) => {
      const response = await send(request);
      const serverMs = Date.parse(response.headers['date'] ?? '');
      const { host } = new URL(request.url);
      const { receivedAtMs } = response;
      if (Number.isFinite(serverMs)) clocks.set(host, { host, serverMs, receivedAtMs });
      return response;
    },
    serverClocks: () => [...clocks.values()],
  };
}
