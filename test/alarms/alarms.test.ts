import { describe, expect, it } from 'vitest';
import { titleOf } from '../../infra/aws/alarm-definition.ts';
import { ALARMS } from '../../infra/aws/alarm-list.ts';
import { holdIncident } from './hold-incident.ts';
import { INCIDENTS } from './incidents.ts';
import { keptRows } from './table.ts';

/** Alarms like one that rings in an incident, but for another lane or function. */
const SILENT = [
  ...['urgent', 'bulk'].map((lane) => `Dead letters (${lane})`),
  ...['urgent', 'bulk'].map((lane) => `Dead letters grow (${lane})`),
  ...['urgent', 'bulk'].map((lane) => `Dead letters expire (${lane})`),
  ...['Function errors (serve-hubspot)', 'Functions throttled (serve-hubspot)'],
];

describe('the alarms', () => {
  it('each ring in some incident, but for those of a lane or function whose like does', () => {
    const rung = new Set(INCIDENTS.flatMap(({ rings }) => rings));
    const silent = ALARMS.map(titleOf).filter((title) => !rung.has(title));
    const due = silent
      .filter((title) => !SILENT.includes(title))
      .map((title) => `add an incident to test/alarms/incidents.ts with rings: ['${title}']`);
    expect(silent, due.join('\n')).toEqual(SILENT);
  });

  it('have a row for each incident in the runbook (npm run alarms writes them)', () => {
    const names = keptRows().map((row) => row.split(' | ')[0]?.slice(2));
    const missing = INCIDENTS.filter(({ name }) => !names.includes(name));
    const due = missing.map(({ name }) => `npm run alarms -- "${name}" writes its row into the runbook`);
    expect(names, due.join('\n')).toEqual(INCIDENTS.map(({ name }) => name));
  });
});

// All of them: incidents.test.ts, which continuous integration runs.
describe('in an incident', () => {
  const quick = INCIDENTS.filter(({ isQuick }) => isQuick);
  it.each(quick.map((incident) => [incident.name, incident] as const))('%s', (_, incident) =>
    holdIncident(incident),
  );
});
