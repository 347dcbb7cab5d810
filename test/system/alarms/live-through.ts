import { expect } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { type Ring, ringsOf } from './ring.ts';
import { openStation, type Station, type StationOptions } from './station.ts';

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

/** These alarms ring in time and no other does, and they are over afterwards. */
export async function holdIncident(incident: Incident): Promise<void> {
  const { rings, before, strictly } = await liveThrough(incident);
  expect(before).toEqual([]);
  const first = new Map(rings.toReversed().map(({ alarm, minute }) => [alarm, minute]));
  const told = `In test/system/alarms, "${incident.name}" rang: ${JSON.stringify(Object.fromEntries(first))}`;
  const wanted = Object.keys(incident.rings).sort();
  expect(namesOf(rings), told).toEqual(wanted);
  expect(namesOf(strictly), told).toEqual(wanted);
  for (const [alarm, latest] of Object.entries(incident.rings))
    expect(first.get(alarm), `${told}: ${alarm}`).toBeLessThanOrEqual(latest);
  const left = namesOf(rings.filter(({ overMinute }) => overMinute === undefined));
  if (incident.end) expect(left).toEqual([...(incident.stay ?? [])].sort());
}

function namesOf(rings: readonly Ring[]): string[] {
  return [...new Set(rings.map(({ alarm }) => alarm))].sort();
}

export interface Incident {
  readonly name: string;
  /** The titles of the alarms that ring, and no other does, with the latest minute after its begin. */
  readonly rings: Readonly<Record<string, number>>;
  /** Of those, the ones that are not over soon after its end. */
  readonly stay?: readonly string[];
  readonly options?: StationOptions;
  /** Runs with all tests; the others take minutes together. */
  readonly isQuick?: boolean;
  /** Ordinary life before it; an hour unless told. */
  readonly afterMs?: number;
  readonly begin: (station: Station) => Promise<unknown> | unknown;
  readonly lastsMs: number;
  readonly end?: (station: Station) => Promise<unknown> | unknown;
}

/** For incidents of a day or longer. */
export const SLOWLY = { leadEveryMs: HOUR_MS, sweepEveryMs: 5 * MINUTE_MS, workEveryMs: MINUTE_MS };
/** For days in which nobody comes. */
export const IDLY = { leadEveryMs: 0, sweepEveryMs: 15 * MINUTE_MS, workEveryMs: 5 * MINUTE_MS };
