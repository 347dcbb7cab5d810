import { readFileSync } from 'node:fs';
import type { Incident } from './incident.ts';
import type { Ring } from './ring.ts';

export const RUNBOOK = new URL('../../docs/operations/runbook.md', import.meta.url);
export const TABLE_HEADING = '## Which alarm rings when\n';
const HEADER =
  '| incident | alarms, and how long after its begin they ring; after its end they are over |\n| - | - |';

/** One line of the table: each alarm's first ring, in minutes from the incident's begin, and when it was over for good. */
export function rowOf({ name, lastsMs, end }: Incident, rings: readonly Ring[]): string {
  const endMinute = lastsMs / 60_000;
  const told = [...new Set(rings.map(({ alarm }) => alarm))].map((alarm) => {
    const own = rings.filter((ring) => ring.alarm === alarm);
    const over = own.at(-1)?.overMinute;
    const after = over === undefined || !end ? undefined : over - endMinute;
    const tail = after === undefined || after < 0 ? '' : `, over ${timeOf(after)}`;
    return `${alarm} ${timeOf(own[0]?.minute ?? 0)}${tail}`;
  });
  return `| ${name} | ${told.length > 0 ? told.join('; ') : 'none'} |`;
}

/** `12 min`, `24.1 h`, `9 d`. */
function timeOf(minutes: number): string {
  if (minutes < 120) return `${Math.round(minutes)} min`;
  if (minutes < 2_880) return `${Number((minutes / 60).toFixed(1))} h`;
  return `${Number((minutes / 1_440).toFixed(1))} d`;
}

/** The rows as they stand in the runbook. */
export function keptRows(runbook = readFileSync(RUNBOOK, 'utf8')): readonly string[] {
  const [, section = ''] = runbook.split(TABLE_HEADING);
  const [text = ''] = section.split('\n## ');
  return text.split('\n').filter((line) => line.startsWith('| ') && !HEADER.includes(line));
}

/** The runbook with these rows instead of those that it has. */
export function withRows(runbook: string, rows: readonly string[]): string {
  const kept = keptRows(runbook).join('\n');
  const table = rows.join('\n');
  if (kept !== '') return runbook.replace(kept, () => table);
  return `${runbook.trimEnd()}\n\n${TABLE_HEADING}\n${HEADER}\n${table}\n`;
}
