import type { Clock } from '#inside/kernel/clock.ts';

/** The same time as another's clock shows it: no two machines agree. */
export function skewed(clock: Clock, offsetMs: number): Clock {
  return { ...clock, now: () => clock.now() + offsetMs };
}
