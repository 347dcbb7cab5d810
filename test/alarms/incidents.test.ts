import { describe, it } from 'vitest';
import { holdIncident } from './hold-incident.ts';
import { INCIDENTS } from './incidents.ts';

describe('in an incident', () => {
  const long = INCIDENTS.filter(({ isQuick }) => !isQuick);
  // Days of it, on a machine that is busy with something else.
  const options = { timeout: 180_000 };
  it.each(long.map((incident) => [incident.name, incident] as const))('%s', options, (_, incident) =>
    holdIncident(incident),
  );
});
