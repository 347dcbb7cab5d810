import { readFileSync, writeFileSync } from 'node:fs';
import { INCIDENTS } from './incidents.ts';
import { liveThrough } from './live-through.ts';
import { keptRows, RUNBOOK, rowOf, withRows } from './table.ts';

// `npm run alarms` lives through all of them, `npm run alarms -- NAME` through those whose name has this in it.
const [wanted = ''] = process.argv.slice(2);
const chosen = INCIDENTS.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
if (chosen.length === 0) {
  console.error(`No incident of test/alarms/incidents.ts has "${wanted}" in its name.`);
  process.exit(1);
}

const kept = new Map(keptRows().map((row) => [row.split(' | ')[0]?.slice(2), row]));
for (const incident of chosen) {
  const { rings } = await liveThrough(incident);
  const row = rowOf(incident, rings);
  kept.set(incident.name, row);
  console.log(row);
}
const rows = INCIDENTS.flatMap(({ name }) => kept.get(name) ?? []);
writeFileSync(RUNBOOK, withRows(readFileSync(RUNBOOK, 'utf8'), rows));
console.log('\nThe table in docs/operations/runbook.md is up to date.');
