import type { Fault } from './door/fault.ts';

/** A subscription of the app, in the form of a project app's webhooks component. */
export interface CrmObjectSubscription {
  /** `object.creation`, `object.propertyChange`, `object.deletion`, `object.merge`, `object.restore`, `object.associationChange` */
  readonly subscriptionType: string;
  readonly objectType: 'contact' | 'company';
  /** Only for `object.propertyChange`, which needs one subscription for each property. */
  readonly propertyName?: string;
  readonly active: boolean;
}

export interface Subscriptions {
  readonly crmObjects: readonly CrmObjectSubscription[];
  /** `contact.privacyDeletion` */
  readonly hubEvents: readonly { readonly subscriptionType: string; readonly active: boolean }[];
}

/** A required-property rule of the account's admin, enforced on `2026-09` paths only. */
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
  /**
   * `ALPHANUMERIC`, `MAX_LENGTH`, `MIN_LENGTH`, `MAX_NUMBER` or `MIN_NUMBER`. Other types are returned but not
   * enforced.
   */
  readonly ruleType: string;
  readonly ruleArguments: readonly string[];
}

export interface RateLimits {
  /** Requests per app in any ten seconds. */
  readonly tenSecondly: number;
  /** Association calls per app in any ten seconds. They have their own limit. */
  readonly associationsTenSecondly: number;
  /** Searches per account in any second. */
  readonly searchSecondly: number;
  /** Requests from midnight to midnight in the account's time zone. */
  readonly daily: number;
}

export interface SandboxSettings {
  readonly accessToken: string;
  readonly clientSecret: string;
  readonly portalId: number;
  /** `STANDARD`, `SANDBOX`, `DEVELOPER_TEST`, `APP_DEVELOPER`. */
  readonly accountType: string;
  readonly appId: number;
  readonly scopes: readonly string[];
  /** IANA name of the time zone. The daily limit resets at its midnight. */
  readonly timeZone: string;
  readonly currency: string;
  readonly latencyMs: number;
  readonly rateLimits: RateLimits;
  readonly faults: readonly Fault[];

  /** Address of the webhooks in the app's configuration. While it is null, events wait. */
  readonly webhookUrl: string | null;
  readonly webhookDelayMs: number;
  /** Timeout of a delivery, which is five seconds in HubSpot. 0 means no timeout. */
  readonly webhookTimeoutMs: number;
  /** Factor for the delays between attempts. With 1, ten retries take 24 hours. */
  readonly webhookRetryScale: number;
  /** Share of events that are delivered twice, 0 to 1. */
  readonly duplicateRate: number;
  readonly outOfOrder: boolean;
  readonly subscriptions: Subscriptions;
  /** Kinds of events that are never delivered, such as `privacyDeletion`, even with a subscription. */
  readonly lostEvents: readonly string[];
  /** `generic` sends `object.creation` with an objectTypeId, `classic` sends `contact.creation`. */
  readonly eventStyle: 'generic' | 'classic';
  /** Version of the signatures. HubSpot signs webhooks of legacy private apps with version 1 only. */
  readonly signatureVersion: 'v3' | 'v1';
  /** Whether the first values of a record are also announced as changes. */
  readonly propertyChangeOnCreation: boolean;

  /** Batch calls that return a result for each input if every input has an `objectWriteTraceId`. */
  readonly partialBatches: readonly ('create' | 'update')[];
  /** Place of the reasons in a 400. HubSpot uses both places. */
  readonly validationDetail: 'errors' | 'message' | 'both';
  /** Whether a write of the present value adds a history entry and an event. */
  readonly unchangedWrites: 'ignored' | 'recorded';
  readonly formatPhones: boolean;
  /** Delay of the search index. */
  readonly searchDelayMs: number;
  /** Whether a merge keeps the primary record's id, a beta feature. */
  readonly mergeKeepsPrimaryId: boolean;
  readonly writeRules: readonly WriteRule[];
  readonly valueRules: readonly ValueRule[];
  /** Default properties that this account lacks on both types. No real account has all default properties. */
  readonly lackedProperties: readonly string[];
  /** Whether answers, and answers of searches, have the rate headers. */
  readonly rateHeaders: boolean;
  readonly searchRateHeaders: boolean;
  /** Whether a 429 has the `policyName` of its limit. */
  readonly refusalsNamePolicy: boolean;
  /** Whether the error of a batch input has its `objectWriteTraceId`. */
  readonly errorsNameTrace: boolean;
  readonly duplicateInputs: 'refused' | 'accepted';
  /** Whether a batch read reports missing records. */
  readonly missingRecords: 'reported' | 'left-out';
  readonly historyBatchMost: number;
  readonly historyOrder: 'newest-first' | 'oldest-first';
  /** Source names of the app's writes, in histories and in webhooks. */
  readonly historySource: string;
  readonly changeSource: string;
  /** Source names of a person's edits, in histories and in webhooks. */
  readonly personSource: string;
  readonly personChangeSource: string;
  /** Read value of a property that was filled and then emptied. */
  readonly emptiedValues: 'null' | 'empty-text';
  readonly lowerCaseEmails: boolean;
  readonly bareDomains: boolean;
  /** Whether a batch read of a merged id returns the merged record. */
  readonly mergedIdsRead: boolean;
  /** Whether HubSpot creates and associates a company from the domain of a new contact's address. */
  readonly associateByEmailDomain: boolean;
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

/** Default settings, with the limits of a Professional account and a privately distributed app. */
export const DEFAULT_SETTINGS: SandboxSettings = {
  accessToken: 'sandbox-token',
  clientSecret: 'sandbox-client-secret',
  portalId: 24_170_001,
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
  ],
  timeZone: 'America/New_York',
  currency: 'USD',
  latencyMs: 0,
  rateLimits: { tenSecondly: 190, associationsTenSecondly: 150, searchSecondly: 5, daily: 625_000 },
  faults: [],
  webhookUrl: null,
  webhookDelayMs: 200,
  webhookTimeoutMs: 5_000,
  webhookRetryScale: 1,
  duplicateRate: 0,
  outOfOrder: false,
  subscriptions: {
    crmObjects: (['contact', 'company'] as const).flatMap((objectType) => [
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
  },
  lostEvents: [],
  eventStyle: 'generic',
  signatureVersion: 'v3',
  propertyChangeOnCreation: false,
  partialBatches: ['create', 'update'],
  validationDetail: 'both',
  unchangedWrites: 'ignored',
  formatPhones: false,
  searchDelayMs: 0,
  mergeKeepsPrimaryId: false,
  writeRules: [],
  valueRules: [],
  lackedProperties: [],
  rateHeaders: true,
  searchRateHeaders: false,
  refusalsNamePolicy: true,
  errorsNameTrace: true,
  duplicateInputs: 'refused',
  missingRecords: 'reported',
  historyBatchMost: 50,
  historyOrder: 'newest-first',
  historySource: 'INTEGRATION',
  changeSource: 'INTEGRATION',
  personSource: 'CRM_UI',
  personChangeSource: 'CRM_UI',
  emptiedValues: 'null',
  lowerCaseEmails: true,
  bareDomains: true,
  mergedIdsRead: true,
  associateByEmailDomain: false,
};

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
