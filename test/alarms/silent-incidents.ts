import { utcDay } from '#inside/kernel/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#inside/kernel/clock.ts';
import { createDigest } from '#inside/kernel/digest.system.ts';
import { leaveMark } from '../../infra/local/installation-mark.ts';
import { IDLY, type Incident, SLOWLY } from './incident.ts';

/** Losses that no function reports as a failure of its own. */
export const SILENT: readonly Incident[] = [
  {
    name: 'The keys of the sweep are emptied',
    isQuick: true,
    rings: ['Sweep reports nothing'],
    begin: (station) => station.disorder({ withoutKeys: true }),
    lastsMs: 3 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'No function may write its log',
    rings: ['Sweep reports nothing'],
    begin: (station) => station.disorder({ withoutLogs: true }),
    lastsMs: 3 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'The index of records is an hour behind for three hours',
    rings: ['Index behind'],
    begin: ({ world }) => world.storeTrouble.set({ faults: [], lagMs: HOUR_MS }),
    lastsMs: 3 * HOUR_MS,
    end: ({ world }) => world.storeTrouble.set({ faults: [], lagMs: 0 }),
  },
  {
    name: 'Another installation is set up on the same HubSpot account',
    rings: ['Two installations'],
    begin: ({ world: { services } }) =>
      leaveMark({ hubSpot: services.hubSpot, digest: createDigest('the secret of another installation') }),
    lastsMs: HOUR_MS,
    end: ({ world }) => leaveMark(world.services),
  },
  {
    name: 'A person is not told for eight days after the notice was due',
    isQuick: true,
    rings: ['Notices overdue'],
    begin: ({ world: { portal, clock } }) =>
      portal.create('contacts', { enrichment_notice_due: utcDay(clock.now() - 8 * DAY_MS) }),
    lastsMs: 2 * HOUR_MS,
    end: async ({ world: { portal, services, clock } }) => {
      const { results } = await services.hubSpot.search({
        ...{ objectType: 'contacts', properties: [], limit: 1 },
        filterGroups: [{ filters: [{ propertyName: 'enrichment_notice_due', operator: 'HAS_PROPERTY' }] }],
      });
      const id = results[0]?.id ?? '';
      await portal.edit({ objectType: 'contacts', id }, { enrichment_notice_sent_at: utcDay(clock.now()) });
    },
  },
  {
    name: 'Lookups find no match any more',
    rings: ['Nothing but misses'],
    begin: (station) => station.strangers(true),
    lastsMs: 4 * HOUR_MS,
    end: (station) => station.strangers(false),
  },
  {
    name: 'No record is enriched for three days',
    rings: ['Nothing but misses', 'Nothing is enriched'],
    options: { ...SLOWLY, sweepEveryMs: 15 * MINUTE_MS },
    begin: (station) => station.strangers(true),
    lastsMs: 72 * HOUR_MS,
    end: (station) => station.strangers(false),
  },
  {
    name: 'Thirty damaged messages become dead letters',
    rings: ['Messages wait (live)', 'Dead letters (live)', 'Dead letters grow (live)'],
    options: IDLY,
    begin: ({ world }) => {
      for (let count = 0; count < 30; count += 1) world.queues.live.inject(`{"no":"message of ours"}`);
    },
    lastsMs: 7 * HOUR_MS,
  },
];
