import { describe, it } from 'vitest';
import { holdIncident } from './hold-incident.ts';
import { INCIDENTS } from './incidents.ts';

describe('in an incident', () => {
  const long = INCIDENTS.filter(({ isQuick }) => !isQuick);
  it.each(long.map((incident) => [incident.name, incident] as const))('%s', (_, incident) =>
    holdIncident(incident),
  );
});
