import { readFileSync, writeFileSync } from 'node:fs';
import { INCIDENTS } from './incidents.ts';
import { liveThrough } from './live-through.ts';
import { RUNBOOK, rowOf, withRows } from './table.ts';

const rows: string[] = [];
for (const incident of INCIDENTS) {
  const { rings } = await liveThrough(incident);
  rows.push(rowOf(incident, rings));
  console.log(rows.at(-1));
}
writeFileSync(RUNBOOK, withRows(readFileSync(RUNBOOK, 'utf8'), rows));
console.log('\nThe table in docs/operations/runbook.md is up to date.');
