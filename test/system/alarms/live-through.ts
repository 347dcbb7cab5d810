import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { Incident } from './incident.ts';
import { type Ring, ringsOf } from './ring.ts';
import { openStation } from './station.ts';

export interface Lived {
  /** From the incident's begin on, in minutes of it. */
  readonly rings: readonly Ring[];
  /** Those that rang before it. */
  readonly before: readonly Ring[];
  /** The same, should CloudWatch look at no more periods than an alarm names. */
  readonly strictly: readonly Ring[];
}

/** So long after its end, all that does not need a person should be over. */
const AFTERWARDS_MS = 2 * HOUR_MS;

export async function liveThrough({
  begin,
  end,
  lastsMs,
  options,
  afterMs = HOUR_MS,
}: Incident): Promise<Lived> {
  const station = await openStation({ leadEveryMs: 5 * MINUTE_MS, ...options });
  await station.live(afterMs);
  const zeroMs = station.world.clock.now();
  await begin(station);
  await station.live(lastsMs);
  if (end) {
    await end(station);
    await station.live(AFTERWARDS_MS);
  }
  const all = ringsOf(station, { zeroMs });
  return {
    rings: all.filter(({ minute }) => minute > 0),
    before: all.filter(({ minute }) => minute <= 0),
    strictly: ringsOf(station, { zeroMs, morePeriods: 0 }),
  };
}
