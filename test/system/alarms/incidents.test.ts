import { it } from 'vitest';
import { holdIncident } from './hold-incident.ts';
import { INCIDENTS } from './incidents.ts';

const long = INCIDENTS.filter(({ isQuick }) => !isQuick);
it.each(long.map((incident) => [incident.name, incident] as const))('in an incident: %s', (_, incident) =>
  holdIncident(incident),
);
