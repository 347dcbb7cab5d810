import { expect } from 'vitest';
import type { Incident } from './incident.ts';
import { liveThrough } from './live-through.ts';
import type { Ring } from './ring.ts';
import { keptRows, rowOf } from './table.ts';

/** These alarms ring and no other, they are over afterwards, and the runbook says so to the minute. */
export async function holdIncident(incident: Incident): Promise<void> {
  const { rings, before, strictly } = await liveThrough(incident);
  expect(before).toEqual([]);
  const rung = namesOf(rings);
  const due = `In test/alarms, "${incident.name}" is due to have: rings: ${JSON.stringify(rung)},\n`;
  expect(rung, due).toEqual([...incident.rings].sort());
  expect(namesOf(strictly)).toEqual([...incident.rings].sort());
  const left = namesOf(rings.filter(({ overMinute }) => overMinute === undefined));
  if (incident.end) expect(left).toEqual([...(incident.stay ?? [])].sort());
  const row = rowOf(incident, rings);
  const todo = `In the runbook's table this line is due (npm run alarms -- "${incident.name}" writes it):\n${row}\n`;
  expect(keptRows(), todo).toContain(row);
}

function namesOf(rings: readonly Ring[]): string[] {
  return [...new Set(rings.map(({ alarm }) => alarm))].sort();
}
