import { it } from 'vitest';
import { INCIDENTS } from './incidents.ts';
import { holdIncident } from './live-through.ts';

const long = INCIDENTS.filter(({ isQuick }) => !isQuick);
it.each(long.map((incident) => [incident.name, incident] as const))('in an incident: %s', (_, incident) =>
  holdIncident(incident),
);
