import { expect } from 'vitest';
import type { Incident } from './incident.ts';
import { liveThrough } from './live-through.ts';
import type { Ring } from './ring.ts';

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
