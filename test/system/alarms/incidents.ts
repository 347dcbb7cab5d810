import { signWebhook } from '#shared/hubspot';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { HUBSPOT_URL } from '../../harness/addresses.ts';
import { CLIENT_SECRET, TOKEN, WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { contact } from '../../harness/people.ts';
import { searchWithOverrun } from '../../harness/steps.ts';
import type { World } from '../../harness/world.ts';
import { IDLY, type Incident, SLOWLY } from './live-through.ts';
import { SILENT } from './silent-incidents.ts';
import { loseRuns, spoilEntry } from './spoil.ts';

const THROTTLED = { everyMs: 10 * MINUTE_MS, forMs: 30 * SECOND_MS };
const FAILS = { kind: 'status', rate: 1 } as const;

const CALM: readonly Incident[] = [
  {
    name: 'The stack is created, and nothing has happened yet',
    rings: {},
    afterMs: 0,
    options: { leadEveryMs: 0 },
    // What creates the alarms has not made the schedules yet.
    begin: (station) => station.disorder({ uncalled: ['reconcile', 'refresh-stale', 'enrich-records'] }),
    lastsMs: 20 * MINUTE_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'A day like others, with a lead every five minutes',
    rings: {},
    begin: () => undefined,
    lastsMs: 6 * HOUR_MS,
  },
  {
    name: 'An import that the budget pays for in weeks',
    rings: {},
    options: { ...SLOWLY, policy: { budgets: { perDay: 1_000 } } },
    begin: ({ world }) => importOf(world, 1_000),
    lastsMs: 26 * HOUR_MS,
  },
  {
    name: '`doctor` four times in an hour, with its forged deliveries',
    rings: {},
    begin: async (station) => {
      for (let time = 0; time < 4; time += 1) {
        await deliver(station.world, CLIENT_SECRET);
        await deliver(station.world, `not ${CLIENT_SECRET}`);
        await station.live(10 * MINUTE_MS);
      }
    },
    lastsMs: HOUR_MS,
  },
  {
    name: 'HubSpot answers with errors for four minutes',
    rings: {},
    begin: ({ world }) => world.portal.change({ faults: [{ ...FAILS, status: 503 }] }),
    lastsMs: 4 * MINUTE_MS,
    end: ({ world }) => world.portal.change({ faults: [] }),
  },
];

const MONEY: readonly Incident[] = [
  {
    name: "More leads than the day's budget pays for",
    rings: { 'Budget used up': 60, 'Leads wait': 90 },
    options: { policy: { budgets: { perDay: 60 } } },
    begin: () => undefined,
    lastsMs: 3 * HOUR_MS,
  },
  {
    name: "The ledger's newest entry was changed by hand",
    isQuick: true,
    rings: { 'Books differ': 5 },
    begin: ({ world }) => spoilEntry(world),
    lastsMs: HOUR_MS,
  },
  {
    name: 'The data service is out of credits for 26 hours',
    rings: { 'Purchases stopped': 15, 'Records wait': 25 * 60, 'Nothing is bought': 60 },
    options: SLOWLY,
    begin: ({ world }) => world.changeService({ creditBalance: 0 }),
    lastsMs: 26 * HOUR_MS,
    end: ({ world }) => world.changeService({ creditBalance: 100_000 }),
  },
];

const DATA_SERVICE: readonly Incident[] = [
  {
    name: 'A search is charged for more results than its page holds',
    rings: { 'Purchases stopped': 5 },
    begin: ({ world }) => searchWithOverrun(world),
    lastsMs: HOUR_MS,
    end: ({ world }) => world.changeService({ pageOverrun: 0 }),
  },
  {
    name: 'The data service refuses the key',
    rings: { 'Purchases stopped': 10, 'Nothing is bought': 60 },
    begin: ({ world }) => world.changeService({ faults: [{ kind: 'status', status: 401 }] }),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.changeService({ faults: [] }),
  },
  {
    name: 'The data service answers with errors',
    rings: { Doubts: 10, 'Purchases stopped': 20, 'Nothing is bought': 60 },
    stay: ['Doubts'],
    begin: ({ world }) => world.changeService({ faults: [{ kind: 'status', status: 500 }] }),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.changeService({ faults: [] }),
  },
  {
    name: 'The data service cannot be reached',
    rings: { 'Nothing is bought': 60 },
    begin: ({ world }) => world.wire.disconnect('data-service'),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.wire.reconnect(),
  },
  {
    name: 'Another user of the key uses up its rate',
    rings: { 'Leads wait': 90, 'Nothing is bought': 60 },
    begin: ({ world }) => world.changeService({ faults: [{ kind: 'status', status: 429, rate: 0.85 }] }),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.changeService({ faults: [] }),
  },
];

const HUBSPOT: readonly Incident[] = [
  {
    name: 'The app loses the scope for writing',
    rings: { 'HubSpot unavailable': 30, 'HubSpot refuses a record': 30 },
    begin: ({ world }) =>
      world.portal.change({ scopes: SCOPES.filter((scope) => !scope.includes('objects.contacts.write')) }),
    lastsMs: 3 * HOUR_MS,
    end: ({ world }) => world.portal.change({ scopes: SCOPES }),
  },
  {
    name: 'The access token is withdrawn for 26 hours',
    rings: { 'HubSpot unavailable': 30, 'Records wait': 25 * 60 },
    options: SLOWLY,
    begin: ({ world }) => world.portal.change({ accessToken: 'another' }),
    lastsMs: 26 * HOUR_MS,
    end: ({ world }) => world.portal.change({ accessToken: TOKEN }),
  },
  {
    name: 'HubSpot answers with errors for two hours',
    rings: { 'HubSpot unavailable': 20 },
    begin: ({ world }) => world.portal.change({ faults: [{ ...FAILS, status: 503 }] }),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.portal.change({ faults: [] }),
  },
  {
    name: 'A rule of the account refuses what is written',
    rings: { 'HubSpot refuses a record': 30 },
    begin: ({ world }) =>
      world.portal.change({
        writeRules: [
          { objectType: 'contact', requires: 'fax', when: { property: 'lifecyclestage', values: [''] } },
        ],
      }),
    lastsMs: 3 * HOUR_MS,
    end: ({ world }) => world.portal.change({ writeRules: [] }),
  },
  {
    name: "Other apps use up HubSpot's calls of the day but for our reserve",
    rings: { 'HubSpot unavailable': 30 },
    begin: ({ world }) => leaveOfTheDay(world, 0.08),
    lastsMs: HOUR_MS,
    end: ({ world }) => world.portal.change({ rateLimits: DAILY(625_000) }),
  },
  {
    name: 'The client secret is wrong: every delivery is refused',
    rings: { 'Refused webhooks': 15, 'Webhooks do not arrive': 75 },
    stay: ['Refused webhooks'],
    begin: ({ world }) => world.portal.change({ clientSecret: 'another' }),
    lastsMs: 3 * HOUR_MS,
    end: ({ world }) => world.portal.change({ clientSecret: CLIENT_SECRET }),
  },
  {
    name: 'The event of a privacy deletion never arrives',
    rings: { 'Privacy deletions do not arrive': 9 * 1_440 },
    options: { ...IDLY, leadEveryMs: DAY_MS },
    begin: async ({ world }) => {
      await world.portal.change({ lostEvents: ['privacyDeletion', 'deletion'] });
      const [known] = await world.states();
      if (known) await world.portal.erase({ objectType: 'contacts', id: known.id });
    },
    lastsMs: 10 * DAY_MS,
  },
];

const DOORS: readonly Incident[] = [
  {
    name: 'The queues refuse what the receiver sends',
    rings: {
      'Webhooks fail': 15,
      'Sweep fails': 10,
      'Leads wait': 60,
      'Nothing is bought': 60,
      'Webhooks do not arrive': 75,
    },
    stay: ['Webhooks fail'],
    begin: ({ world }) => world.queues.live.refuse(1e9),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.queues.live.refuse(0),
  },
  {
    name: 'The API may not call the receiver',
    rings: { 'Webhooks fail': 15, 'Webhooks do not arrive': 75 },
    stay: ['Webhooks fail'],
    begin: (station) => station.disorder({ apiStatus: 500 }),
    lastsMs: 2 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'The API turns webhooks away (429) for two hours',
    rings: { 'Webhooks do not arrive': 75 },
    begin: (station) => station.disorder({ apiStatus: 429 }),
    lastsMs: 2 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'The webhook subscriptions of the app are gone',
    rings: { 'Webhooks do not arrive': 75 },
    begin: ({ world }) => world.portal.change({ webhookUrl: null }),
    lastsMs: 3 * HOUR_MS,
    end: ({ world }) => world.portal.change({ webhookUrl: WEBHOOK_URL }),
  },
];

const MACHINES: readonly Incident[] = [
  {
    name: 'The sweep is not called any more',
    rings: { 'Sweep stopped': 60 },
    begin: (station) => station.disorder({ uncalled: ['reconcile'] }),
    lastsMs: 3 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'The refresh is not called any more',
    rings: { 'Refresh stopped': 10 * 1_440 },
    options: IDLY,
    begin: (station) => station.disorder({ uncalled: ['refresh-stale'] }),
    lastsMs: 10 * DAY_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'The event sources of the worker are switched off',
    rings: {
      'Messages wait (live)': 20,
      'Messages wait (urgent)': 20,
      'Messages wait (bulk)': 80,
      'Leads wait': 130,
      'Nothing is bought': 150,
    },
    begin: async (station) => {
      station.disorder({ uncalled: ['enrich-records'] });
      await importOf(station.world, 5);
      const [known] = await station.world.states();
      if (known) await station.world.portal.erase({ objectType: 'contacts', id: known.id });
    },
    lastsMs: 2 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: "The account's concurrency is used up",
    rings: { 'Webhooks fail': 15, 'Sweep stopped': 60 },
    stay: ['Webhooks fail'],
    begin: (station) => station.disorder({ throttled: ['receive-webhook', 'enrich-records', 'reconcile'] }),
    lastsMs: 2 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'A deployment in which every function fails',
    rings: { 'Sweep fails': 10, 'Webhooks fail': 15, 'Messages wait (live)': 20, 'Sweep stopped': 60 },
    stay: ['Webhooks fail'],
    begin: async (station) => {
      await station.world.portal.sandbox.deliverWebhooks();
      await contact(station.world, 160);
      await station.world.clock.sleep(MINUTE_MS);
      await station.world.portal.sandbox.deliverWebhooks();
      station.disorder({ broken: ['receive-webhook', 'enrich-records', 'refresh-stale', 'reconcile'] });
    },
    lastsMs: 2 * HOUR_MS,
    end: (station) => station.disorder({}),
  },
  {
    name: 'Tables throttle for half a minute, every ten minutes',
    // Each time, one lead's message comes again after five and a half minutes: the second one at minute 15.
    rings: { 'Sweep fails': 10, 'Messages wait (live)': 20 },
    begin: ({ world }) =>
      world.storeTrouble.set({
        faults: [{ kind: 'throttled', rate: 1, times: 1e9, bursts: THROTTLED }],
        lagMs: 0,
      }),
    lastsMs: 2 * HOUR_MS,
    end: ({ world }) => world.storeTrouble.set({ faults: [], lagMs: 0 }),
  },
  {
    name: 'The clocks of the workers are a minute ahead for 26 hours',
    rings: { 'Records wait': 25 * 60 },
    options: SLOWLY,
    begin: ({ world }) => world.processes.skew([MINUTE_MS, MINUTE_MS]),
    lastsMs: 26 * HOUR_MS,
    end: ({ world }) => world.processes.skew([]),
  },
];

const RECORDS: readonly Incident[] = [
  {
    name: 'A damaged message becomes a dead letter',
    rings: { 'Messages wait (live)': 20, 'Dead letters (live)': 6 * 60 },
    options: IDLY,
    begin: ({ world }) => world.queues.live.inject('{"no":"message of ours"}'),
    lastsMs: 7 * HOUR_MS,
  },
  {
    name: "A record's runs are changed by hand",
    rings: { 'Books differ': 25 * 60 },
    options: SLOWLY,
    begin: ({ world }) => loseRuns(world),
    lastsMs: 25 * HOUR_MS,
  },
];

export const INCIDENTS: readonly Incident[] = [
  ...CALM,
  ...MONEY,
  ...DATA_SERVICE,
  ...HUBSPOT,
  ...DOORS,
  ...MACHINES,
  ...SILENT,
  ...RECORDS,
];

const DAILY = (daily: number) => ({
  tenSecondly: 190,
  associationsTenSecondly: 150,
  searchSecondly: 5,
  daily,
});

/** Contacts whom the data service knows. */
async function importOf(world: World, count: number): Promise<void> {
  const emails = new Set(world.dataService.world.people.flatMap(({ job }) => job.email ?? []));
  // The first ones are leads.
  for (const email of [...emails].slice(-count))
    await world.portal.create('contacts', { email }, [], { source: 'IMPORT' });
}

/** Nothing, signed with a secret. */
function deliver({ receive, clock }: World, clientSecret: string): Promise<Response> {
  const request = { method: 'POST', publicUrl: WEBHOOK_URL, rawBody: '[]', clientSecret };
  const headers = signWebhook({ ...request, timestampMs: clock.now() });
  return receive(new Request(WEBHOOK_URL, { method: 'POST', headers, body: '[]' }));
}

/** Another app's calls, until so large a share of the day's is left. */
async function leaveOfTheDay(world: World, share: number): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const daily = 3_000;
  await world.portal.change({ rateLimits: { ...DAILY(daily), tenSecondly: 1e6 } });
  for (let left = daily; left > share * daily; ) {
    const { headers: told } = await world.portal.sandbox.handle(
      new Request(`${HUBSPOT_URL}/crm/properties/2026-09/contacts`, { headers }),
    );
    left = Number(told.get('x-hubspot-ratelimit-daily-remaining') ?? 0);
  }
  await world.portal.change({ rateLimits: DAILY(daily) });
}

const RIGHTS = ['objects.contacts', 'objects.companies', 'schemas.contacts', 'schemas.companies'];
const SCOPES = ['oauth', ...RIGHTS.flatMap((right) => [`crm.${right}.read`, `crm.${right}.write`])];
