import { expect, it } from 'vitest';
import { ALARMS, titleOf } from '../../../infra/aws/alarm-list.ts';
import { INCIDENTS } from './incidents.ts';
import { holdIncident } from './live-through.ts';

/** Alarms like one that rings in an incident, but for another lane. */
const SILENT = ['urgent', 'bulk'].map((lane) => `Dead letters (${lane})`);

it('the alarms each ring in some incident, but for those of a lane whose like does', () => {
  const rung = new Set(INCIDENTS.flatMap(({ rings }) => Object.keys(rings)));
  expect(ALARMS.map(titleOf).filter((title) => !rung.has(title))).toEqual(SILENT);
});

// All of them: incidents.test.ts, which continuous integration runs.
const quick = INCIDENTS.filter(({ isQuick }) => isQuick);
it.each(quick.map((incident) => [incident.name, incident] as const))('in an incident: %s', (_, incident) =>
  holdIncident(incident),
);
