import type { Send } from '#shared/http/http-request.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import type { Quiet } from './oracle/evidence.ts';

export type Refusals = ReturnType<typeof createRefusals>;

/** Listens in on what the vendor's refusals of the rate tell. */
export function createRefusals() {
  const heard: Quiet[] = [];
  return {
    heard,
    through:
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        const reset = Number(response.headers['x-ratelimit-reset']);
        if (response.status === 429 && reset > 0)
          heard.push({ fromMs: response.receivedAtMs, toMs: reset * SECOND_MS });
        return response;
      },
  };
}
