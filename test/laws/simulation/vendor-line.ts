import type { Send } from '#shared/http';
import { type Clock, type Random, SECOND_MS } from '#shared/kernel';
import { DATA_SERVICE_URL } from '../../harness/addresses.ts';
import type { Quiet } from './oracle/evidence.ts';

export type VendorLine = ReturnType<typeof createVendorLine>;

/**
 * The connection to the vendor. Requests may take long on it. It also records the rate refusals: from when on no
 * earlier request arrives any more, and until when.
 */
export function createVendorLine(random: Random) {
  const refusals: Quiet[] = [];
  let clock: Pick<Clock, 'sleep'> | undefined;
  let mostMs = 0;
  return {
    refusals,
    /** Sets how long requests are on their way at most, from now on, before the vendor receives them. */
    set: (by: Pick<Clock, 'sleep'>, lineMs: number) => {
      [clock, mostMs] = [by, lineMs];
    },
    through:
      (send: Send): Send =>
      async (request) => {
        if (!request.url.startsWith(DATA_SERVICE_URL)) return send(request);
        const lineMs = mostMs === 0 ? 0 : random() * mostMs;
        if (lineMs > 0) await clock?.sleep(lineMs, request.signal);
        const response = await send({ ...request, timeoutMs: request.timeoutMs - lineMs });
        const reset = Number(response.headers['x-ratelimit-reset']);
        if (response.status === 429 && reset > 0)
          refusals.push({ fromMs: response.receivedAtMs + mostMs, toMs: reset * SECOND_MS });
        return response;
      },
  };
}
