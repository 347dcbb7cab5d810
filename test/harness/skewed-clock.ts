import type { Clock } from '#shared/kernel';

/** The same time on another machine's clock, because no two clocks agree. */
export function skewed(clock: Clock, offsetMs: number): Clock {
  return { ...clock, now: () => clock.now() + offsetMs };
}
