import { expect } from 'vitest';
import type { Incident } from './incidents.ts';
import { liveThrough } from './live-through.ts';
import type { Ring } from './ring.ts';
import { keptRows, rowOf } from './table.ts';

/** These alarms ring and no other, they are over afterwards, and the runbook says so to the minute. */
export async function holdIncident(incident: Incident): Promise<void> {
  const { rings, before, strictly } = await liveThrough(incident);
  expect(before).toEqual([]);
  expect(namesOf(rings)).toEqual([...incident.rings].sort());
  expect(namesOf(strictly)).toEqual([...incident.rings].sort());
  const left = namesOf(rings.filter(({ overMinute }) => overMinute === undefined));
  if (incident.end) expect(left).toEqual([...(incident.stay ?? [])].sort());
  expect(keptRows()).toContain(rowOf(incident, rings));
}

function namesOf(rings: readonly Ring[]): string[] {
  return [...new Set(rings.map(({ alarm }) => alarm))].sort();
}
