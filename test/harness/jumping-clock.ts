import type { Clock } from '#shared/kernel';

export const NOON_MS = Date.UTC(2030, 0, 1, 12);

/** Starts at noon, jumps ahead instead of waiting, and records each requested wait. */
export function jumpingClock() {
  const waits: number[] = [];
  let elapsedMs = 0;
  const clock: Clock = {
    now: () => NOON_MS + elapsedMs,
    monotonic: () => elapsedMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      elapsedMs += ms;
    },
  };
  return { clock, waits };
}
