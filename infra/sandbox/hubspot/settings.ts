interface CrmObjectSubscription {
  /**
   * `object.creation`, `object.propertyChange`, `object.deletion`, `object.merge`, `object.restore`,
   * `object.associationChange`
   */
  readonly subscriptionType: string;
  readonly objectType: 'contact' | 'company';
  /** Only for `object.propertyChange`, which needs one subscription for each property. */
  readonly propertyName?: string;
  readonly active: boolean;
}

interface Subscriptions {
  readonly crmObjects: readonly CrmObjectSubscription[];
  /** `contact.privacyDeletion` */
  readonly hubEvents: readonly { readonly subscriptionType: string; readonly active: boolean }[];
}

/** A required-property rule of the account's admin. */
export interface WriteRule {
  readonly objectType: 'contact' | 'company';
  readonly requires: string;
  /**
   * Values of another property that make this property required. Without `when`, the property is required at
   * creation.
   */
  readonly when?: { readonly property: string; readonly values: readonly string[] };
}

/** A validation rule of the account's admin for one property, enforced on every path. */
export interface ValueRule {
  readonly objectType: 'contact' | 'company';
  readonly propertyName: string;
  /** `MAX_LENGTH` or `MIN_LENGTH`. Other types are returned but not enforced. */
  readonly ruleType: string;
  readonly ruleArguments: readonly string[];
}

const LIFE_EVENTS = ['creation', 'deletion', 'merge', 'restore'];
const WATCHED = {
  contact: [
    'email',
    'hs_additional_emails',
    'firstname',
    'lastname',
    'phone',
    'mobilephone',
    'hs_linkedin_url',
    'website',
    'enrichment_requested',
  ],
  company: ['domain', 'website', 'linkedin_company_page', 'enrichment_requested'],
};

/** All settings with their defaults: the limits of a Professional account and a privately distributed app. */
export const DEFAULT_SETTINGS = {
  accessToken: 'sandbox-token',
  clientSecret: 'sandbox-client-secret',
  portalId: 24_170_001,
  /** `STANDARD`, `SANDBOX`, `DEVELOPER_TEST`, `APP_DEVELOPER`. */
  accountType: 'DEVELOPER_TEST',
  appId: 5_187_918,
  scopes: [
    'oauth',
    'automation',
    ...['contacts', 'companies'].flatMap((type) => [
      `crm.objects.${type}.read`,
      `crm.objects.${type}.write`,
      `crm.schemas.${type}.write`,
    ]),
  ] as readonly string[],
  /** IANA name of the time zone. The daily limit resets at its midnight. */
  timeZone: 'America/New_York',
  currency: 'USD',
  latencyMs: 0,
  /** Requests per app in ten seconds, association calls in ten seconds, searches per account in a second, requests a day. */
  rateLimits: { tenSecondly: 190, associationsTenSecondly: 150, searchSecondly: 5, daily: 625_000 },
  faults: [] as readonly Fault[],

  /** Address of the webhooks in the app's configuration. While it is null, events wait. */
  webhookUrl: null as string | null,
  webhookDelayMs: 200,
  /** Timeout of a delivery. 0 means no timeout. */
  webhookTimeoutMs: 5_000,
  /** Factor for the delays between attempts. With 1, ten retries take 24 hours. */
  webhookRetryScale: 1,
  /** Share of events that are delivered twice, 0 to 1. */
  duplicateRate: 0,
  outOfOrder: false,
  subscriptions: {
    crmObjects: (['contact', 'company'] as const).flatMap((objectType): CrmObjectSubscription[] => [
      ...[...LIFE_EVENTS, ...(objectType === 'contact' ? ['associationChange'] : [])].map((event) => ({
        subscriptionType: `object.${event}`,
        objectType,
        active: true,
      })),
      ...WATCHED[objectType].map((propertyName) => ({
        subscriptionType: 'object.propertyChange',
        objectType,
        propertyName,
        active: true,
      })),
    ]),
    hubEvents: [{ subscriptionType: 'contact.privacyDeletion', active: true }],
  } as Subscriptions,
  /** Kinds of events that are never delivered, such as `privacyDeletion`, even with a subscription. */
  lostEvents: [] as readonly string[],
  /** `generic` sends `object.creation` with an objectTypeId, `classic` sends `contact.creation`. */
  eventStyle: 'generic' as 'generic' | 'classic',
  /** Version of the signatures. HubSpot signs webhooks of legacy private apps with version 1 only. */
  signatureVersion: 'v3' as 'v3' | 'v1',
  /** Whether the first values of a record are also announced as changes. */
  propertyChangeOnCreation: false,

  /** Batch calls that return a result for each input if every input has an `objectWriteTraceId`. */
  partialBatches: ['create', 'update'] as readonly ('create' | 'update')[],
  /** Place of the reasons in a 400. HubSpot uses both places. */
  validationDetail: 'both' as 'errors' | 'message' | 'both',
  unchangedWrites: 'ignored' as 'ignored' | 'recorded',
  formatPhones: false,
  searchDelayMs: 0,
  /** Whether a merge keeps the primary record's id, a beta feature. */
  mergeKeepsPrimaryId: false,
  writeRules: [] as readonly WriteRule[],
  valueRules: [] as readonly ValueRule[],
  /** Default properties that this account lacks on both types. No real account has all default properties. */
  lackedProperties: [] as readonly string[],
  /** Whether answers, and answers of searches, have the rate headers. */
  rateHeaders: true,
  searchRateHeaders: false,
  /** Whether a 429 has the `policyName` of its limit. */
  refusalsNamePolicy: true,
  /** Whether the error of a batch input has its `objectWriteTraceId`. */
  errorsNameTrace: true,
  duplicateInputs: 'refused' as 'refused' | 'accepted',
  missingRecords: 'reported' as 'reported' | 'left-out',
  historyBatchMost: 50,
  historyOrder: 'newest-first' as 'newest-first' | 'oldest-first',
  /** Source names of the app's writes, in histories and in webhooks. */
  historySource: 'INTEGRATION',
  changeSource: 'INTEGRATION',
  /** Source names of a person's edits, in histories and in webhooks. */
  personSource: 'CRM_UI',
  personChangeSource: 'CRM_UI',
  /** Read value of a property that was filled and then emptied. */
  emptiedValues: 'null' as 'null' | 'empty-text',
  lowerCaseEmails: true,
  bareDomains: true,
  mergedIdsRead: true,
  /** Whether HubSpot creates and associates a company from the domain of a new contact's address. */
  associateByEmailDomain: false,
};

export type SandboxSettings = Readonly<typeof DEFAULT_SETTINGS>;

/**
 * Applies `patch` to the settings. The keys of `rateLimits` are merged one by one.
 * @throws Error that names an unknown key, or a key whose value has a different type from the default.
 */
export function mergeSettings(current: SandboxSettings, patch: object): SandboxSettings {
  for (const [key, value] of Object.entries(patch)) {
    const shape = Object.entries(DEFAULT_SETTINGS).find(([name]) => name === key);
    if (!shape) throw new Error(`Unknown setting ${key}.`);
    const nullable = key === 'webhookUrl' && (value === null || typeof value === 'string');
    if (!nullable && kindOf(value) !== kindOf(shape[1])) throw new Error(`Setting ${key} has a wrong value.`);
  }
  const limits = 'rateLimits' in patch && typeof patch.rateLimits === 'object' ? patch.rateLimits : {};
  return { ...current, ...patch, rateLimits: { ...current.rateLimits, ...limits } };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

/** A deliberate failure. All given conditions must match. */
export interface Fault {
  /** Part of the path, `batch/update` for example. */
  readonly path?: string;
  readonly method?: string;
  /**
   * Record that the request must name. If a batch has a result for each input, a `status` fault fails only this
   * record. Otherwise it fails the request.
   */
  readonly recordId?: string;
  readonly kind: 'status' | 'reset-before' | 'reset-after' | 'hang' | 'slow';
  /** Status for `status`. 500 by default. */
  readonly status?: number;
  /** Name of the limit for a 429. TEN_SECONDLY_ROLLING by default. */
  readonly policyName?: string;
  /** For `status`: seconds, as a Retry-After header. */
  readonly retryAfterS?: number;
  /** For `slow`: delay before the work, in milliseconds. 10,000 by default. */
  readonly delayMs?: number;
  /** Share of the matching requests, 0 to 1. 1 by default. */
  readonly rate?: number;
  /** Maximum number of occurrences. */
  readonly times?: number;
}
