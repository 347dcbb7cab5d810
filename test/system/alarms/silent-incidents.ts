import { DAY_MS, HOUR_MS, utcDay } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { leaveMark } from '../../../infra/local/own-installation.ts';
import type { Incident } from './live-through.ts';

/** Losses that no function reports as a failure of its own. */
export const SILENT: readonly Incident[] = [
  {
    name: 'The keys of the sweep are emptied',
    rings: { 'Sweep stopped': 60 },
    begin: (station) => station.disorder({ withoutKeys: true }),
    lastsMs: 3 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'No function may write its log',
    rings: { 'Sweep stopped': 60 },
    begin: (station) => station.disorder({ withoutLogs: true }),
    lastsMs: 3 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'The index of records is an hour behind for three hours',
    rings: { 'Leads wait': 45 },
    begin: ({ world }) => world.storeTrouble.set({ faults: [], lagMs: HOUR_MS }),
    lastsMs: 3 * HOUR_MS,
    end: ({ world }) => world.storeTrouble.set({ faults: [], lagMs: 0 }),
  },
  {
    name: 'Another installation is set up on the same HubSpot account',
    rings: { 'Two installations': 5 },
    begin: ({ world: { services } }) =>
      leaveMark({ hubSpot: services.hubSpot, digest: createDigest('the secret of another installation') }),
    lastsMs: HOUR_MS,
    end: ({ world }) => leaveMark(world.services),
  },
  {
    name: 'A person is not told for eight days after the notice was due',
    rings: { 'Notices overdue': 5 },
    begin: ({ world: { portal, clock } }) =>
      portal.create('contacts', { enrichment_notice_due: utcDay(clock.now() - 8 * DAY_MS) }),
    lastsMs: 2 * HOUR_MS,
    end: async ({ world: { portal, services, clock } }) => {
      const { results } = await services.hubSpot.search({
        objectType: 'contacts',
        properties: [],
        limit: 1,
        filters: [{ propertyName: 'enrichment_notice_due', operator: 'HAS_PROPERTY' }],
      });
      const id = results[0]?.id ?? '';
      await portal.edit({ objectType: 'contacts', id }, { enrichment_notice_sent_at: utcDay(clock.now()) });
    },
  },
  {
    name: 'Lookups find no match any more',
    rings: { 'Nothing is enriched': 100 },
    begin: (station) => station.strangers(true),
    lastsMs: 4 * HOUR_MS,
    end: (station) => station.strangers(false),
  },
];
