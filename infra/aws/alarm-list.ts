import { METRICS, type MetricId } from '#shared/metrics/names.ts';
import { FUNCTIONS, type FunctionName, LANES, type Lane } from './names.ts';

/** What an alarm looks at: a metric of ours, or one that AWS measures. */
export type AlarmSource =
  | { readonly kind: 'own'; readonly metric: MetricId }
  | { readonly kind: 'dead-letters'; readonly lane: Lane }
  | { readonly kind: 'oldest-message'; readonly lane: Lane }
  | { readonly kind: 'errors'; readonly of: FunctionName }
  | { readonly kind: 'invocations'; readonly of: FunctionName };

export interface AlarmDefinition {
  /** A heading of `infra/RUNBOOK.md`. */
  readonly heading: string;
  /** Tells the alarms of one heading apart. */
  readonly of?: string;
  readonly source: AlarmSource;
  readonly comparison: 'at-least' | 'at-most';
  readonly threshold: number;
  readonly periodMinutes: number;
  /** Periods in a row that must breach. */
  readonly periods: number;
  /** Silence is what it looks for. */
  readonly missingIsBad?: boolean;
}

/** Gauges come with every run of `reconcile`, which is never rarer than a period: its schedule's schema sees to it. */
const GAUGE = { comparison: 'at-least', periodMinutes: 15, periods: 1 } as const;
const COUNT = { comparison: 'at-least', periodMinutes: 5, periods: 1 } as const;

export const ALARMS: readonly AlarmDefinition[] = [
  { heading: 'Budget nearly used up', source: own('budgetUsed'), threshold: 80, ...GAUGE },
  { heading: 'Budget used up', source: own('budgetUsed'), threshold: 100, ...GAUGE },
  { heading: 'Vendor out of credits', source: own('vendorOutOfCredits'), threshold: 1, ...GAUGE },
  { heading: 'Key refused', source: own('vendorKeyRefused'), threshold: 1, ...GAUGE },
  // Whoever waits for a turn does so for a minute or two, unless budget or rate do not suffice.
  { heading: 'Leads wait', source: own('oldestLead'), threshold: 15 * 60_000, ...GAUGE },
  { heading: 'Doubts', source: own('doubtsOpen'), threshold: 1, ...GAUGE },
  // Once is enough: each record is looked at alone, when it is written and once a day.
  {
    heading: 'Runs do not add up',
    source: own('conservationDifference'),
    threshold: 1,
    ...GAUGE,
  },
  { heading: 'Books differ', source: own('ledgerProblems'), threshold: 1, ...GAUGE },
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
    comparison: 'at-least',
    threshold: 3,
    periodMinutes: 360,
    periods: 1,
  },
  { heading: 'Webhooks not queued', source: own('webhookQueueFailures'), threshold: 1, ...COUNT },
  // One may follow from another user of the key; they should not go on.
  { heading: 'Vendor rate limit', source: own('vendorRateLimited'), threshold: 1, ...COUNT, periods: 3 },
  { heading: 'HubSpot unavailable', source: own('hubSpotUnavailable'), threshold: 1, ...COUNT, periods: 3 },
  // The smallest daily allowance is 250,000: this is what is left of it for people and other apps. It is told
  // only while the worker calls HubSpot: over an hour one batch's word is not forgotten before the next.
  {
    heading: 'HubSpot limit near',
    source: own('hubSpotDailyRemaining'),
    comparison: 'at-most',
    threshold: 10_000,
    periodMinutes: 60,
    periods: 1,
  },
  ...LANES.map((lane): AlarmDefinition => {
    return {
      heading: 'Dead letters',
      of: lane,
      source: { kind: 'dead-letters', lane },
      threshold: 1,
      ...COUNT,
    };
  }),
  // Queues are read at once, and what waits for longer does so in the records.
  ...(['urgent', 'live'] as const).map((of): AlarmDefinition => {
    return { heading: 'Messages wait', of, ...oldest(of), threshold: 300, ...COUNT, periods: 2 };
  }),
  { heading: 'Messages wait', of: 'bulk', ...oldest('bulk'), threshold: 3_600, ...COUNT },
  ...FUNCTIONS.map((name): AlarmDefinition => {
    return {
      heading: 'Function errors',
      of: name,
      source: { kind: 'errors', of: name },
      threshold: 1,
      ...COUNT,
    };
  }),
  {
    heading: 'Sweep stopped',
    source: { kind: 'invocations', of: 'reconcile' },
    comparison: 'at-most',
    threshold: 0,
    periodMinutes: 60,
    periods: 1,
    missingIsBad: true,
  },
];

function own(metric: MetricId): AlarmSource {
  if (METRICS[metric].dimensions.length > 0)
    throw new Error(`${metric} has dimensions: name one series of it.`);
  return { kind: 'own', metric };
}

function oldest(lane: Lane): { readonly source: AlarmSource } {
  return { source: { kind: 'oldest-message', lane } };
}
