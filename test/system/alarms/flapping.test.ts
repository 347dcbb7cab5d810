import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { INCIDENTS } from './incidents.ts';
import { liveThrough } from './live-through.ts';

/** Of these the cause goes on for as long as the incident does. */
const OUTAGES = INCIDENTS.filter(
  ({ name, lastsMs, end }) => end && lastsMs >= 2 * HOUR_MS && lastsMs <= 4 * HOUR_MS && name,
);

it.each(OUTAGES.map((incident) => [incident.name, incident] as const))(
  'with a sweep every five minutes each alarm rings once in four hours: %s',
  async (_, incident) => {
    const options = { ...incident.options, sweepEveryMs: 5 * MINUTE_MS };
    const { rings } = await liveThrough({ ...incident, options, lastsMs: 4 * HOUR_MS });
    const counts = Map.groupBy(rings, ({ alarm }) => alarm);
    const again = [...counts].filter(([, rung]) => rung.length > 1);
    expect(again.map(([alarm, rung]) => `${alarm} ${rung.length}`)).toEqual([]);
  },
);
