import { METRICS, type MetricId } from '#shared/metrics/names.ts';
import { FUNCTIONS, type FunctionName, LANES, type Lane } from './names.ts';

/** What an alarm looks at: a metric of ours, or one that AWS measures. */
export type AlarmSource =
  | {
      readonly kind: 'own';
      readonly metric: MetricId;
      /** Of a metric that has dimensions, the series. */
      readonly dimensions?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'dead-letters' | 'oldest-dead-letter' | 'oldest-message'; readonly lane: Lane }
  | { readonly kind: 'errors' | 'throttles' | 'invocations'; readonly of: FunctionName }
  | { readonly kind: 'api'; readonly status: '4xx' | '5xx' };

export interface AlarmDefinition {
  /** A heading of `docs/operations/runbook.md`. */
  readonly heading: string;
  /** Tells the alarms of one heading apart. */
  readonly of?: string;
  readonly source: AlarmSource;
  readonly comparison: 'at-least' | 'at-most';
  readonly threshold: number;
  readonly periodMinutes: number;
  /** The last so many periods are looked at. */
  readonly periods: number;
  /** So many of them must breach; all of them unless told. */
  readonly breaching?: number;
  /**
   * What a period without data means. `fine`: what is counted did not happen. `as-before`: nobody told, so nothing is
   * known. `silence`: it is what this alarm looks for; it does not ring before there was ever data, since CloudWatch
   * tells changes of state only, and an alarm begins in the state that silence leads to.
   */
  readonly missing: 'fine' | 'as-before' | 'silence';
}

/** Each run of the sweep tells it. Should the sweep stop, that has an alarm of its own, and none of these is over. */
const GAUGE = { comparison: 'at-least', periodMinutes: 15, periods: 1, missing: 'as-before' } as const;
const COUNT = { comparison: 'at-least', periodMinutes: 5, periods: 1, missing: 'fine' } as const;
/** What is tried again every ten minutes at the least, and goes on failing. */
const AGAIN_AND_AGAIN = { ...COUNT, periods: 6, breaching: 3 } as const;
const SILENCE = { comparison: 'at-most', threshold: 0, missing: 'silence' } as const;

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;
const DAY_S = 86_400;
const DAY_MS = 86_400_000;

const MONEY: readonly AlarmDefinition[] = [
  // Imports and refreshes leave a fifth of it, so that up to 80% is a day like others.
  { heading: 'Budget nearly used up', source: own('budgetUsed'), threshold: 90, ...GAUGE },
  { heading: 'Budget used up', source: own('budgetUsed'), threshold: 100, ...GAUGE },
  { heading: 'Doubts', source: own('doubtsOpen'), threshold: 1, ...GAUGE },
  { heading: 'Books differ', source: own('ledgerProblems'), threshold: 1, ...GAUGE },
];

const DATA_SERVICE: readonly AlarmDefinition[] = [
  { heading: 'Vendor out of credits', source: own('vendorOutOfCredits'), threshold: 1, ...GAUGE },
  {
    heading: 'Vendor charges above its price list',
    source: own('vendorOvercharges'),
    threshold: 1,
    ...GAUGE,
  },
  { heading: 'Key refused', source: own('vendorKeyRefused'), threshold: 1, ...GAUGE },
  { heading: 'Vendor unavailable', source: own('vendorUnanswered'), threshold: 1, ...AGAIN_AND_AGAIN },
  // While we ask almost nothing, almost nothing is left without an answer: the stop itself holds the alarm.
  {
    heading: 'Vendor unavailable',
    of: 'stopped',
    source: own('vendorUnavailable'),
    threshold: 1,
    ...GAUGE,
  },
  // One may follow from another user of the key; they should not go on.
  { heading: 'Vendor rate limit', source: own('vendorRateLimited'), threshold: 1, ...COUNT, periods: 3 },
];

const HUBSPOT: readonly AlarmDefinition[] = [
  { heading: 'HubSpot unavailable', source: own('hubSpotUnavailable'), threshold: 1, ...AGAIN_AND_AGAIN },
  // 401 and 403 do not pass by themselves: once is enough, and what is put off comes again within 15 minutes.
  {
    heading: 'HubSpot refuses us',
    source: own('hubSpotRefused'),
    threshold: 1,
    ...COUNT,
    periodMinutes: 30,
  },
  { heading: 'HubSpot refuses a record', source: own('hubSpotWritesStopped'), threshold: 1, ...GAUGE },
  // Where bulk work stops. It is told only while the worker calls HubSpot: one batch's word lasts for an hour.
  {
    heading: 'HubSpot limit near',
    source: own('hubSpotDailyLeft'),
    comparison: 'at-most',
    threshold: 10,
    periodMinutes: HOUR_MINUTES,
    periods: 1,
    missing: 'fine',
  },
  // A few can be somebody's curiosity; HubSpot itself repeats each refused delivery up to ten times.
  {
    heading: 'Refused webhooks',
    source: own('webhookSignaturesRefused'),
    threshold: 5,
    ...COUNT,
    periods: 2,
  },
  // A small portal has a few changes a day, and never five refusals in as many minutes.
  {
    heading: 'Refused webhooks',
    of: 'a few in six hours',
    source: own('webhookSignaturesRefused'),
    threshold: 3,
    ...COUNT,
    periodMinutes: 6 * HOUR_MINUTES,
  },
  // Once is enough: it was a matter of weeks, and the next one is as well.
  {
    heading: 'Privacy deletions do not arrive',
    source: own('privacyDeletionsMissed'),
    threshold: 1,
    ...COUNT,
    periodMinutes: 6 * HOUR_MINUTES,
  },
  { heading: 'Webhooks not queued', source: own('webhookQueueFailures'), threshold: 1, ...COUNT },
  { heading: 'Webhooks fail', source: { kind: 'api', status: '5xx' }, threshold: 1, ...COUNT, periods: 2 },
  // Strangers who try addresses are some dozens; the stage lets 15,000 requests pass in a period.
  {
    heading: 'Webhooks turned away',
    source: { kind: 'api', status: '4xx' },
    threshold: 1_000,
    ...COUNT,
    periods: 3,
  },
];

const RECORDS: readonly AlarmDefinition[] = [
  // Whoever waits for a turn does so for a minute or two, unless budget or rate do not suffice. Twice in a row, since
  // after an outage whoever waited for its end has its turn soon.
  { heading: 'Leads wait', source: own('oldestLead'), threshold: 15 * 60_000, ...GAUGE, periods: 2 },
  // Of one that HubSpot alone refuses an alarm would ring for months: `queue status` has its age.
  ...(['hubspot', 'data-service', 'ourselves'] as const).map((waitsFor): AlarmDefinition => {
    const source = own('oldestWaiting', { waitsFor });
    return { heading: 'Records wait', of: waitsFor, source, threshold: DAY_MS, ...GAUGE };
  }),
  // Once is enough: each record is looked at alone, when it is written and once a day.
  {
    heading: 'Runs do not add up',
    source: own('conservationDifference'),
    threshold: 1,
    ...GAUGE,
  },
];

const QUEUES: readonly AlarmDefinition[] = [
  ...LANES.map((lane): AlarmDefinition => {
    return {
      heading: 'Dead letters',
      of: lane,
      source: { kind: 'dead-letters', lane },
      threshold: 1,
      ...COUNT,
    };
  }),
  // They are gone for good after fourteen days.
  ...LANES.map((lane): AlarmDefinition => {
    const source = { kind: 'oldest-dead-letter', lane } as const;
    return { heading: 'Dead letters expire', of: lane, source, threshold: 10 * DAY_S, ...COUNT };
  }),
  // Queues are read at once, and what waits for longer does so in the records.
  ...(['urgent', 'live'] as const).map((lane): AlarmDefinition => {
    const source = { kind: 'oldest-message', lane } as const;
    return { heading: 'Messages wait', of: lane, source, threshold: 300, ...COUNT, periods: 2 };
  }),
  {
    heading: 'Messages wait',
    of: 'bulk',
    source: { kind: 'oldest-message', lane: 'bulk' },
    threshold: 3_600,
    ...COUNT,
  },
];

/** Whoever looks at the spend page sees that it fails. */
const UNSEEN = FUNCTIONS.filter((name) => name !== 'report-spend');

const MACHINES: readonly AlarmDefinition[] = [
  ...UNSEEN.map((of): AlarmDefinition => {
    return { heading: 'Function errors', of, source: { kind: 'errors', of }, threshold: 1, ...COUNT };
  }),
  // Lambda tries again by itself; that it goes on means that the account's concurrency is used up. Not where a function
  // runs once an hour.
  ...UNSEEN.filter((name) => name !== 'refresh-stale').map((of): AlarmDefinition => {
    const source = { kind: 'throttles', of } as const;
    return { heading: 'Functions throttled', of, source, threshold: 1, ...AGAIN_AND_AGAIN };
  }),
  { heading: 'Tables throttled', source: own('storeThrottled'), threshold: 1, ...AGAIN_AND_AGAIN },
  {
    heading: 'Sweep stopped',
    source: { kind: 'invocations', of: 'reconcile' },
    ...SILENCE,
    periodMinutes: 15,
    periods: 2,
  },
  // The longest that its schedule may be, and the longest that CloudWatch looks back.
  {
    heading: 'Refresh stopped',
    source: { kind: 'invocations', of: 'refresh-stale' },
    ...SILENCE,
    periodMinutes: DAY_MINUTES,
    periods: 7,
  },
];

export const ALARMS: readonly AlarmDefinition[] = [
  ...MONEY,
  ...DATA_SERVICE,
  ...HUBSPOT,
  ...RECORDS,
  ...QUEUES,
  ...MACHINES,
];

/** `Messages wait (bulk)`. */
export function titleOf({ heading, of }: Pick<AlarmDefinition, 'heading' | 'of'>): string {
  return of === undefined ? heading : `${heading} (${of})`;
}

function own(metric: MetricId, dimensions: Readonly<Record<string, string>> = {}): AlarmSource {
  const named = Object.keys(dimensions).join();
  if (METRICS[metric].dimensions.join() !== named) throw new Error(`${metric}: name one series of it.`);
  return { kind: 'own', metric, dimensions };
}
