import { httpError, type Send } from '#shared/http';
import type { Clock, Random } from '#shared/kernel';

export type LateWrites = ReturnType<typeof createLateWrites>;

/** Lets HubSpot leave some writes without an answer, and process them later. */
export function createLateWrites(random: Random) {
  let clock: Pick<Clock, 'sleep'> | undefined;
  let [lateMs, left] = [0, 0];
  return {
    /** From now on, delays this many writes. */
    set: (by: Pick<Clock, 'sleep'>, wanted: { readonly lateMs: number; readonly times: number }) => {
      clock = by;
      [lateMs, left] = [wanted.lateMs, wanted.times];
    },
    through:
      (send: Send): Send =>
      async (request) => {
        const isStruck = left > 0 && request.url.endsWith('/batch/update') && random() < 0.7;
        if (!isStruck || !clock) return send(request);
        left -= 1;
        void clock
          .sleep(lateMs)
          .then(() => send(request))
          .catch(() => undefined);
        throw httpError({ code: 'HTTP_CONNECTION_LOST', retryable: true });
      },
  };
}
