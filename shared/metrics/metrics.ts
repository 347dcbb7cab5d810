import type { Appended, CreditLedger } from '#shared/credit-ledger';
import type { EnrichmentObserver } from '#shared/enrichment';
import type { Clock } from '#shared/kernel';
import type { AskGateway } from '#shared/questions';
import { lostRuns, type RecordItems, runCounts } from '#shared/records';
import type { CallResult, VendorClient } from '#shared/vendor';

type DimensionsOf<M extends MetricId> = Readonly<Record<(typeof METRICS)[M]['dimensions'][number], string>>;

/** One value of one metric. Its dimensions are words from short lists, never an id or personal data. */
export type Measurement = Plain | Dimensioned;

interface Plain {
  readonly metric: WithoutDimensions;
  readonly value: number;
  readonly dimensions: Readonly<Record<never, string>>;
}

type Dimensioned = {
  readonly [M in Exclude<MetricId, WithoutDimensions>]: {
    readonly metric: M;
    readonly value: number;
    readonly dimensions: DimensionsOf<M>;
  };
}[Exclude<MetricId, WithoutDimensions>];

export interface Metrics {
  emit(measurements: readonly Measurement[]): void;
}

type WithoutDimensions = {
  [M in MetricId]: (typeof METRICS)[M]['dimensions'] extends readonly [] ? M : never;
}[MetricId];

/** Creates a measurement of a metric that has no dimensions of its own. */
export function measure(metric: WithoutDimensions, value: number): Measurement {
  return { metric, value, dimensions: {} };
}

/** Returns the metric's name, unit and dimensions. */
export function definitionOf({ metric }: Measurement) {
  return METRICS[metric];
}

/** Namespace of all metrics. The functions, the dashboard and the alarms share the list below. */
export const METRICS_NAMESPACE = 'CrmEnrichment';

/**
 * Every metric has this dimension in addition to its own dimensions. Its value is the stack's name, which distinguishes
 * two stacks of one account.
 */
export const SERVICE_DIMENSION = 'service';

interface MetricDefinition {
  readonly name: string;
  readonly unit: 'Count' | 'Percent' | 'Milliseconds';
  /**
   * Dimensions in addition to `service`. Their values are words from short fixed lists, never an id, because each
   * combination costs money.
   */
  readonly dimensions: readonly string[];
  /** Function that combines the values of a period. */
  readonly statistic: 'Sum' | 'Maximum' | 'Minimum';
}

export const METRICS = {
  /** Credits booked as charged, at the time of booking. */
  creditsSpent: sum('CreditsSpent', 'operation', 'purpose'),
  /** Questions answered from the store, without a request. */
  cacheHits: sum('CacheHits', 'operation'),
  /** Ended runs by outcome: enriched, unchanged, unmatched, skipped, failed. */
  outcomes: sum('Outcomes', 'outcome'),
  /** Queue messages that failed and are delivered again, including malformed ones. */
  messagesFailed: sum('MessagesFailed'),
  /** Requests to the data service that may cost credits. */
  vendorRequests: sum('VendorRequests'),
  /** Share of the vendor's rate window that was used, from its answer headers. */
  vendorRateUsed: { name: 'VendorRateUsed', unit: 'Percent', dimensions: [], statistic: 'Maximum' },
  /**
   * Share of the account's daily HubSpot calls that is left, from the answer headers. Some kinds of apps do not get
   * these headers.
   */
  hubSpotDailyLeft: { name: 'HubSpotDailyLeft', unit: 'Percent', dimensions: [], statistic: 'Minimum' },
  /**
   * HubSpot failures: outages, refusals of the token or a scope, and hardly any calls left for the day. Each one
   * postponed the records of one object type in a batch, or made a step of the sweep fail.
   */
  hubSpotUnavailable: sum('HubSpotUnavailable'),
  /** Scheduled runs that did no work, because their keys are not set yet. */
  keysMissing: sum('KeysMissing'),
  webhookEventsReceived: sum('WebhookEventsReceived'),
  /** Messages that the receiver queued, one for each record. */
  webhookRecordsQueued: sum('WebhookRecordsQueued'),
  /** Deliveries refused because of their signature or timestamp. */
  webhookSignaturesRefused: sum('WebhookSignaturesRefused'),
  /** Deliveries refused because of their body. */
  webhookBodiesRefused: sum('WebhookBodiesRefused'),
  /** Time from HubSpot's timestamp to the queue's acceptance. */
  webhookLatency: { name: 'WebhookLatency', unit: 'Milliseconds', dimensions: [], statistic: 'Maximum' },

  /** Contacts whose data the audit of deletions erased, because HubSpot never reported their privacy deletion. */
  privacyDeletionsMissed: sum('PrivacyDeletionsMissed'),

  // Gauges: `reconcile` emits each of them in every run.
  /** Credits left, by budget: `total/day`, `refresh/month`, ... */
  budgetLeft: { name: 'BudgetLeft', unit: 'Count', dimensions: ['budget'], statistic: 'Minimum' },
  /** Used share of the budget with the highest use. */
  budgetUsed: gauge('BudgetUsed', 'Percent'),
  /** Bought credits that are left. Emitted only if grants are booked. */
  creditBalance: { name: 'CreditBalance', unit: 'Count', dimensions: [], statistic: 'Minimum' },
  /** Requests with an unknown charge. */
  doubtsOpen: gauge('DoubtsOpen'),
  /**
   * 1 while lookups are stopped: the vendor refuses the key, its balance is too low, it charged more than its price
   * list, or it did not answer several times in a row.
   */
  purchasesStopped: gauge('PurchasesStopped'),
  /** 1 while a person has stopped spending. */
  spendingStopped: gauge('SpendingStopped'),
  /** 1 while purchases for an object type are stopped, because HubSpot refused the values. */
  hubSpotWritesStopped: gauge('HubSpotWritesStopped'),
  /** 1 while another installation has its mark in the HubSpot account. Left out if the sweep cannot ask HubSpot. */
  otherInstallation: gauge('OtherInstallation'),
  /** Contacts whose notice is overdue by a week or longer. Left out if the sweep cannot ask HubSpot. */
  noticesLate: gauge('NoticesLate'),
  /** Queued and postponed records, counted within the last hour. */
  recordsWaiting: gauge('RecordsWaiting'),
  /** Waiting time of the oldest queued lead, or the lag of the index that finds leads if this is longer. */
  oldestLead: gauge('OldestLead', 'Milliseconds'),
  /** Longest time for which a record has been postponed, except for records whose values HubSpot refuses. */
  oldestWaiting: gauge('OldestWaiting', 'Milliseconds'),
  /** Time since the last purchase, while records wait for one and no budget stops them. */
  nothingBought: gauge('NothingBought', 'Milliseconds'),
  /** 1 if the last 20 lookups over two hours found no match, or no record was enriched since two days ago. */
  nothingEnriched: gauge('NothingEnriched'),
  /**
   * Consecutive new records that the sweep found and no webhook reported. Uses the lowest value of a period, because a
   * late webhook resets the count.
   */
  recordsUnreported: { name: 'RecordsUnreported', unit: 'Count', dimensions: [], statistic: 'Minimum' },
  /** Ledger entries, and run counts of records, that failed their check. Any value other than 0 is a bug or damage. */
  checksFailed: gauge('ChecksFailed'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricId = keyof typeof METRICS;

function sum<const D extends readonly string[]>(name: string, ...dimensions: D) {
  return { name, unit: 'Count', dimensions, statistic: 'Sum' } as const;
}

function gauge<U extends MetricDefinition['unit'] = 'Count'>(name: string, unit?: U) {
  return { name, unit: unit ?? 'Count', dimensions: [], statistic: 'Maximum' } as const;
}

/** Wraps the gateway, and counts the answers that needed no request. */
export function meterGateway(
  gateway: AskGateway,
  { metrics, clock }: { metrics: Metrics; clock: Pick<Clock, 'now'> },
): AskGateway {
  return {
    ...gateway,
    ask: async (request) => {
      const startedAtMs = clock.now();
      const result = await gateway.ask(request);
      const isAnswer = result.kind === 'found' || result.kind === 'no-match';
      const { operation } = request.question;
      if (isAnswer && result.credits === 0 && result.askedAtMs < startedAtMs)
        metrics.emit([{ metric: 'cacheHits', value: 1, dimensions: { operation } }]);
      return result;
    },
  };
}

/** Wraps the ledger, and counts the credits that it books as charged, even if they are booked late. */
export function meterLedger(ledger: CreditLedger, metrics: Metrics): CreditLedger {
  return {
    ...ledger,
    apply: async (...given) => {
      const appended = await ledger.apply(...given);
      metrics.emit(chargeMetrics(appended));
      return appended;
    },
  };
}

function chargeMetrics(appended: Appended): Measurement[] {
  if (appended.kind !== 'appended') return [];
  const { kind, amountCredits, operation = 'unknown', purpose = 'unknown' } = appended.entry;
  if (kind !== 'posted' && kind !== 'late') return [];
  return [{ metric: 'creditsSpent', value: amountCredits, dimensions: { operation, purpose } }];
}

/** Wraps the vendor, and counts requests and the used share of its rate. */
export function meterVendor(vendor: Pick<VendorClient, 'ask'>, metrics: Metrics): Pick<VendorClient, 'ask'> {
  return {
    ask: async (question, limits) => {
      const result = await vendor.ask(question, limits);
      metrics.emit(callMetrics(result));
      return result;
    },
  };
}

function callMetrics(result: CallResult): Measurement[] {
  if (result.kind === 'invalid' || result.kind === 'not-sent') return [];
  const report = result.kind === 'unknown' ? undefined : result.report;
  return [
    measure('vendorRequests', 1),
    ...(report && report.limit > 0
      ? [measure('vendorRateUsed', (1 - report.remaining / report.limit) * 100)]
      : []),
  ];
}

/**
 * Wraps the record items, and checks the run counts of each state that is written. So every change is checked without a
 * scan.
 */
export function meterRecords(items: RecordItems, metrics: Metrics): RecordItems {
  return {
    ...items,
    write: async (change) => {
      const written = await items.write(change);
      const difference = lostRuns(runCounts(change.value));
      if (written !== 'conflict' && difference !== 0)
        metrics.emit([measure('checksFailed', Math.abs(difference))]);
      return written;
    },
  };
}

/** Counts runs as they end. */
export function outcomeObserver(metrics: Metrics): EnrichmentObserver {
  return {
    ended: ({ runOutcome }) => {
      if (runOutcome.kind !== 'outcome') return;
      const { outcome } = runOutcome;
      metrics.emit([{ metric: 'outcomes', value: 1, dimensions: { outcome } }]);
    },
    repeated: () => undefined,
  };
}
