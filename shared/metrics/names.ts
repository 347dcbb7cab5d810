/** What the functions measure: one list for those who emit, for the dashboard and for the alarms. */

export const METRICS_NAMESPACE = 'CrmEnrichment';

/** Every metric carries it beside its own dimensions: the stack's name, so that two stacks of an account stay apart. */
export const SERVICE_DIMENSION = 'service';

export interface MetricDefinition {
  readonly name: string;
  readonly unit: 'Count' | 'Percent' | 'Milliseconds';
  /** Beside `service`. Words from short fixed lists only: each combination is paid for; never an id. */
  readonly dimensions: readonly string[];
  /** How its values are put together over a period. */
  readonly statistic: 'Sum' | 'Maximum' | 'Minimum';
}

export const METRICS = {
  /** Credits booked as charged, when they are booked. */
  creditsSpent: sum('CreditsSpent', 'operation', 'purpose'),
  /** Questions answered from the store, without a request. */
  cacheHits: sum('CacheHits', 'operation'),
  /** Runs that ended: enriched, unchanged, unmatched, skipped, failed. */
  outcomes: sum('Outcomes', 'outcome'),
  /** Messages of a queue that failed and are delivered again; malformed ones too. */
  messagesFailed: sum('MessagesFailed'),
  /** Requests to the data service that may cost credits. */
  vendorRequests: sum('VendorRequests'),
  /** How much of the vendor's rate window was used, as an answer's headers said it. */
  vendorRateUsed: { name: 'VendorRateUsed', unit: 'Percent', dimensions: [], statistic: 'Maximum' },
  /** Requests that never reached the vendor, or that it left without an answer: these are doubts. */
  vendorUnanswered: sum('VendorUnanswered'),
  /** Requests that the vendor answered with 429. */
  vendorRateLimited: sum('VendorRateLimited'),
  /** Of the account's HubSpot calls, what is left today, as its headers said; not every kind of app is told. */
  hubSpotDailyLeft: { name: 'HubSpotDailyLeft', unit: 'Percent', dimensions: [], statistic: 'Minimum' },
  /** HubSpot failed, so that a batch's records of a kind were postponed, or a step of the sweep failed. */
  hubSpotUnavailable: sum('HubSpotUnavailable'),
  /** Scheduled runs that ended at once because the keys are not filled in yet. */
  keysMissing: sum('KeysMissing'),
  /** The same, because it takes the token for none (401) or the app lacks a scope (403). */
  hubSpotRefused: sum('HubSpotRefused'),
  /** Requests that a table of ours refused because of too many; the client repeats them. */
  storeThrottled: sum('StoreThrottled'),
  webhookEventsReceived: sum('WebhookEventsReceived'),
  /** Messages that the receiver put on the queues: one a record. */
  webhookRecordsQueued: sum('WebhookRecordsQueued'),
  /** Deliveries refused because of their signature or timestamp. */
  webhookSignaturesRefused: sum('WebhookSignaturesRefused'),
  /** Deliveries refused because of their body. */
  webhookBodiesRefused: sum('WebhookBodiesRefused'),
  /** Deliveries answered with 503 because the queue did not take them; HubSpot repeats them. */
  webhookQueueFailures: sum('WebhookQueueFailures'),
  /** Requests that the API turned away because too many came (429): its access log has them, and no function. */
  webhooksThrottled: sum('WebhooksThrottled'),
  /** From HubSpot's sending, by its timestamp, to the queue's acceptance. */
  webhookLatency: { name: 'WebhookLatency', unit: 'Milliseconds', dimensions: [], statistic: 'Maximum' },

  /** Contacts that the audit of deletions forgot, because no event of their privacy deletion ever came. */
  privacyDeletionsMissed: sum('PrivacyDeletionsMissed'),

  // Gauges: `reconcile` emits each of them in every run.
  /** Credits left, by budget: `total/day`, `refresh/month`, ... */
  budgetLeft: { name: 'BudgetLeft', unit: 'Count', dimensions: ['budget'], statistic: 'Minimum' },
  /** Share used of the budget that is used most. */
  budgetUsed: gauge('BudgetUsed', 'Percent'),
  /** Credits of this month at the present pace. */
  forecastMonth: gauge('ForecastMonth'),
  /** Credits that were bought and are left; only where grants are booked. */
  creditBalance: { name: 'CreditBalance', unit: 'Count', dimensions: [], statistic: 'Minimum' },
  /** Requests with an unknown charge. */
  doubtsOpen: gauge('DoubtsOpen'),
  /** 1 while the vendor refuses the key that is used, or is not at its address. */
  vendorKeyRefused: gauge('VendorKeyRefused'),
  /** 1 while the vendor's balance does not pay for a question. */
  vendorOutOfCredits: gauge('VendorOutOfCredits'),
  /** 1 while questions wait because the vendor charged more than its price list. */
  vendorOvercharges: gauge('VendorOvercharges'),
  /** 1 while questions wait because several in a row were left without an answer. */
  vendorUnavailable: gauge('VendorUnavailable'),
  /** 1 while a person has stopped spending. */
  spendingStopped: gauge('SpendingStopped'),
  /** 1 while nothing is bought for a kind of record, because HubSpot refused what was bought. */
  hubSpotWritesStopped: gauge('HubSpotWritesStopped'),
  /**
   * 1 while another installation has its mark in the HubSpot account. A sweep that cannot ask HubSpot leaves it out.
   */
  otherInstallation: gauge('OtherInstallation'),
  /** Contacts whose notice is overdue by a week or longer. A sweep that cannot ask HubSpot leaves it out. */
  noticesLate: gauge('NoticesLate'),
  /** Records that wait for a time or for their turn, as they were counted within the hour. */
  recordsWaiting: gauge('RecordsWaiting'),
  /** For how long the oldest of the fresh leads waits for its turn. */
  oldestLead: gauge('OldestLead', 'Milliseconds'),
  /** How long the record that waits longest has been postponed, by the service that it waits for. */
  oldestWaiting: {
    name: 'OldestWaiting',
    unit: 'Milliseconds',
    dimensions: ['waitsFor'],
    statistic: 'Maximum',
  },
  /** Time since the last purchase, while records wait for one and no budget stops them. */
  nothingBought: gauge('NothingBought', 'Milliseconds'),
  /** Lookups in a row without a match, once this has lasted two hours. */
  missesInARow: gauge('MissesInARow'),
  /** Records looked up since two days ago, if none of them was enriched. */
  recordsUnenriched: gauge('RecordsUnenriched'),
  /** New records in a row that the sweep found and no webhook reported. The lowest of a period: late webhooks count. */
  recordsUnreported: { name: 'RecordsUnreported', unit: 'Count', dimensions: [], statistic: 'Minimum' },
  /** How long the index of records has been behind the table. */
  indexLag: gauge('IndexLag', 'Milliseconds'),
  /** Runs opened - outcomes - waiting - running, over the record states written: anything but 0 is a bug. */
  conservationDifference: gauge('ConservationDifference'),
  /** What does not hold in the ledger, of what was appended since the last audit that found nothing. */
  ledgerProblems: gauge('LedgerProblems'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricId = keyof typeof METRICS;

function sum<const D extends readonly string[]>(name: string, ...dimensions: D) {
  return { name, unit: 'Count', dimensions, statistic: 'Sum' } as const;
}

function gauge<U extends MetricDefinition['unit'] = 'Count'>(name: string, unit?: U) {
  return { name, unit: unit ?? 'Count', dimensions: [], statistic: 'Maximum' } as const;
}
