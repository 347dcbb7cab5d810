import { describe, expect, it } from 'vitest';
import { ALARMS, titleOf } from '../../infra/aws/alarm-list.ts';
import { holdIncident } from './hold-incident.ts';
import { INCIDENTS } from './incidents.ts';
import { keptRows } from './table.ts';

describe('the alarms', () => {
  it('each ring in some incident, but for those of a lane or function whose like does', () => {
    const rung = new Set(INCIDENTS.flatMap(({ rings }) => rings));
    const silent = ALARMS.filter((alarm) => !rung.has(titleOf(alarm)));
    expect(silent.map(titleOf)).toEqual([
      ...['urgent', 'bulk'].map((lane) => `Dead letters (${lane})`),
      ...['urgent', 'bulk'].map((lane) => `Dead letters expire (${lane})`),
      ...['Function errors (serve-hubspot)', 'Functions throttled (serve-hubspot)'],
    ]);
  });

  it('have a row for each incident in the runbook (npm run alarms writes them)', () => {
    const names = keptRows().map((row) => row.split(' | ')[0]?.slice(2));
    expect(names).toEqual(INCIDENTS.map(({ name }) => name));
  });
});

// All of them: incidents.test.ts, which continuous integration runs.
describe('in an incident', () => {
  const quick = INCIDENTS.filter(({ isQuick }) => isQuick);
  it.each(quick.map((incident) => [incident.name, incident] as const))('%s', (_, incident) =>
    holdIncident(incident),
  );
});
