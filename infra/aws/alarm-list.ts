import { LANES, type Lane } from '#shared/crm';
import { METRICS, type MetricId } from '#shared/metrics';
import type { FunctionName } from './names.ts';

/** Source of an alarm: our own metric, or a metric of AWS. */
export type AlarmSource =
  | {
      readonly kind: 'own';
      readonly metric: MetricId;
      /** Values of the metric's dimensions, which select one series. */
      readonly dimensions?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'dead-letters' | 'oldest-message'; readonly lane: Lane }
  | { readonly kind: 'errors' | 'every-run-fails'; readonly of: FunctionName }
  | { readonly kind: 'api-failures' };

export interface AlarmDefinition {
  readonly heading: string;
  /** Distinguishes alarms with the same heading. */
  readonly of?: string;
  /** Harm to people while the alarm is on, in one or two sentences. The mail begins with this text. */
  readonly loss: string;
  readonly source: AlarmSource;
  readonly comparison: 'at-least' | 'at-most';
  readonly threshold: number;
  readonly periodMinutes: number;
  /** Number of recent periods that are evaluated. */
  readonly periods: number;
  /** Number of periods that must breach. All by default. */
  readonly breaching?: number;
  /**
   * Meaning of a period without data. `fine`: the counted event did not happen. `as-before`: nothing was reported, so
   * the state stays. `silence`: the alarm reports missing data. Such an alarm stays off before the first data,
   * because CloudWatch notifies only changes of state.
   */
  readonly missing: 'fine' | 'as-before' | 'silence';
}

/**
 * For gauges that each sweep reports. If the sweep stops, these alarms keep their state, and the sweep's own alarm
 * starts.
 */
const GAUGE = { comparison: 'at-least', periodMinutes: 15, periods: 1, missing: 'as-before' } as const;
const COUNT = { comparison: 'at-least', periodMinutes: 5, periods: 1, missing: 'fine' } as const;
/** One breach is enough. After a breach, the alarm stays on until the next run of an hourly schedule. */
const ONCE = { ...COUNT, periodMinutes: 90 } as const;
const SILENCE = { comparison: 'at-most', threshold: 0, missing: 'silence' } as const;

const RUNBOOK = 'docs/operations/runbook.md';

/** `Messages wait (bulk)`. */
export function titleOf({ heading, of }: Pick<AlarmDefinition, 'heading' | 'of'>): string {
  return of === undefined ? heading : `${heading} (${of})`;
}

export function descriptionOf({ heading, loss }: Pick<AlarmDefinition, 'heading' | 'loss'>): string {
  return `${loss} See "${heading}" in ${RUNBOOK}.`;
}

function own(metric: MetricId, dimensions: Readonly<Record<string, string>> = {}): AlarmSource {
  const named = Object.keys(dimensions).join();
  if (METRICS[metric].dimensions.join() !== named)
    throw new Error(`${metric} has dimensions: select one series.`);
  return { kind: 'own', metric, dimensions };
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SIX_HOURS_MINUTES = 360;
const DAY_MINUTES = 1_440;

const MONEY: readonly AlarmDefinition[] = [
  {
    heading: 'Budget used up',
    loss: 'A budget is used up. Records that need a lookup wait until it resets.',
    source: own('budgetUsed'),
    threshold: 100,
    ...GAUGE,
  },
  {
    heading: 'Doubts',
    loss: 'It is unknown whether the vendor charged a request. Its record stays empty, and its price counts as spent.',
    source: own('doubtsOpen'),
    threshold: 1,
    ...GAUGE,
  },
  // One breach is enough: each record is checked when it is written and once a day, each entry in every sweep.
  {
    heading: 'Books differ',
    loss: 'A ledger entry, or the run count of a record, failed its check. Do not trust spend until it is repaired.',
    source: own('checksFailed'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Purchases stopped',
    loss: 'Lookups have stopped: the key is refused, credits are missing, or the vendor fails or charges too much. Records wait.',
    source: own('purchasesStopped'),
    threshold: 1,
    ...GAUGE,
  },
  // Three times in a row, because two cases are normal: after an outage of HubSpot, waiting records are only
  // starting, and a throttled table delays some records for half an hour. Budgets have their own alarm.
  {
    heading: 'Nothing is bought',
    loss: 'Nothing has been bought for more than 30 minutes although records wait.',
    source: own('nothingBought'),
    threshold: 10 * MINUTE_MS,
    ...GAUGE,
    periods: 3,
  },
  {
    heading: 'Nothing is enriched',
    loss: 'The last lookups found no match, or no record was enriched. Credits may be spent for nothing.',
    source: own('nothingEnriched'),
    threshold: 1,
    ...GAUGE,
  },
];

const HUBSPOT: readonly AlarmDefinition[] = [
  // Postponed work is retried at least every quarter of an hour. So the alarm evaluates an hour, and does not clear
  // between two retries.
  {
    heading: 'HubSpot unavailable',
    loss: 'HubSpot does not answer, refuses our token, or has hardly any calls left today. Records wait.',
    source: own('hubSpotUnavailable'),
    threshold: 1,
    ...COUNT,
    periods: 12,
    breaching: 3,
  },
  {
    heading: 'HubSpot refuses a record',
    loss: 'HubSpot refused the bought values of three records in a row. One record of this type is bought an hour.',
    source: own('hubSpotWritesStopped'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Two installations',
    loss: 'Another installation works on the same HubSpot account. Records may be bought and written twice.',
    source: own('otherInstallation'),
    threshold: 1,
    ...GAUGE,
  },
  // HubSpot repeats each failed delivery up to ten times, at growing intervals. So three failures in six hours report
  // also a small portal with a few changes a day.
  {
    heading: 'Webhooks fail',
    loss: 'The API or the receiver fails. Changes of known records are lost if this lasts for a day.',
    source: { kind: 'api-failures' },
    threshold: 3,
    ...COUNT,
    periodMinutes: SIX_HOURS_MINUTES,
  },
  // Requests of strangers cause one or two refusals.
  {
    heading: 'Refused webhooks',
    loss: "HubSpot's webhooks are refused. Changes of known records are lost after a day, and new records are found late.",
    source: own('webhookSignaturesRefused'),
    threshold: 3,
    ...COUNT,
    periodMinutes: SIX_HOURS_MINUTES,
  },
  // A late webhook resets the metric to 0.
  {
    heading: 'Webhooks do not arrive',
    loss: 'No webhook reports new records any more. They are found minutes late, and changes of known records are lost.',
    source: own('recordsUnreported'),
    threshold: 3,
    ...GAUGE,
    periodMinutes: 30,
  },
  // One such contact is enough, because the audit needs weeks to find one.
  {
    heading: 'Privacy deletions do not arrive',
    loss: "HubSpot deleted a person's data days ago, and no webhook reported it. The data stayed here until now.",
    source: own('privacyDeletionsMissed'),
    threshold: 1,
    ...COUNT,
    periodMinutes: SIX_HOURS_MINUTES,
  },
];

const RECORDS: readonly AlarmDefinition[] = [
  // A queued record waits a minute or two, unless the budget or the rate limit is too low. Twice in a row, because
  // records that waited during an outage start soon after it.
  {
    heading: 'Leads wait',
    loss: 'A new lead has waited for 15 minutes or more. A salesperson may call before its data is there.',
    source: own('oldestLead'),
    threshold: 15 * MINUTE_MS,
    ...GAUGE,
    periods: 2,
  },
  {
    heading: 'Records wait',
    loss: 'A record has been postponed for a day or longer, and its data is missing in HubSpot.',
    source: own('oldestWaiting'),
    threshold: DAY_MS,
    ...GAUGE,
  },
  // A person or a workflow should have sent the notice before. The sweep counts overdue notices once an hour.
  {
    heading: 'Notices overdue',
    loss: "People still have not been told where their data came from, a week after the policy's date.",
    source: own('noticesLate'),
    threshold: 1,
    ...GAUGE,
  },
];

/** Seconds for which a message may wait. Workers receive messages at once; longer waits are stored in the records. */
const MAX_WAIT_S = { urgent: 300, live: 300, bulk: 3_600 } as const;

const QUEUES: readonly AlarmDefinition[] = [
  ...LANES.map((lane): AlarmDefinition => {
    const source = { kind: 'dead-letters', lane } as const;
    const loss = `A message of the ${lane} lane failed for three hours. Its task is not done.`;
    return { heading: 'Dead letters', of: lane, loss, source, threshold: 1, ...COUNT };
  }),
  ...LANES.map((lane): AlarmDefinition => {
    const source = { kind: 'oldest-message', lane } as const;
    const threshold = MAX_WAIT_S[lane];
    const loss = `A message of the ${lane} lane has waited for ${threshold / 60} minutes: the workers do not run, or it fails repeatedly.`;
    // Throttling delays one message after another, each for a short time. So the alarm evaluates an hour and a half.
    return {
      ...{ heading: 'Messages wait', of: lane, loss, source, threshold },
      ...{ ...COUNT, periods: 18, breaching: 2 },
    };
  }),
];

const SCHEDULES: readonly AlarmDefinition[] = [
  {
    heading: 'Sweep fails',
    loss: 'A step of the sweep ends with an error. Its work is late, and is lost if this lasts for days.',
    source: { kind: 'errors', of: 'reconcile' },
    threshold: 1,
    ...ONCE,
  },
  // Uses a gauge that every sweep reports and that is never below 0. So only missing data breaches.
  {
    heading: 'Sweep stopped',
    loss: 'The sweep reports nothing: it does not start, has no keys, or cannot write its log. Records wait, and most alarms get no data.',
    source: own('doubtsOpen'),
    ...SILENCE,
    threshold: -1,
    periodMinutes: 15,
    periods: 2,
  },
  // A week is the longest interval that the settings allow, and the longest time that CloudWatch evaluates.
  {
    heading: 'Refresh stopped',
    loss: 'No refresh has ended well for a week. The data of stale records grows old.',
    source: { kind: 'every-run-fails', of: 'refresh-stale' },
    comparison: 'at-least',
    threshold: 1,
    missing: 'silence',
    periodMinutes: DAY_MINUTES,
    periods: 7,
  },
];

export const ALARMS: readonly AlarmDefinition[] = [...MONEY, ...HUBSPOT, ...RECORDS, ...QUEUES, ...SCHEDULES];
