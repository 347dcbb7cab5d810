import type { Fault } from './door/fault.ts';

/** In the form of a project app's webhooks component: what an app subscribes to. */
export interface CrmObjectSubscription {
  /** `object.creation`, `object.propertyChange`, `object.deletion`, `object.merge`, `object.restore`, `object.associationChange` */
  readonly subscriptionType: string;
  readonly objectType: 'contact' | 'company';
  /** Only for `object.propertyChange`, which needs one subscription a property. */
  readonly propertyName?: string;
  readonly active: boolean;
}

export interface Subscriptions {
  readonly crmObjects: readonly CrmObjectSubscription[];
  /** `contact.privacyDeletion` */
  readonly hubEvents: readonly { readonly subscriptionType: string; readonly active: boolean }[];
}

/** A rule of the account's admin, kept on `2026-09` paths only. */
export interface WriteRule {
  readonly objectType: 'contact' | 'company';
  readonly requires: string;
  /** Without it the property is required at creation; with it whenever the record has one of these values. */
  readonly when?: { readonly property: string; readonly values: readonly string[] };
}

/** A rule of the account's admin on the values of one property, kept on every path. */
export interface ValueRule {
  readonly objectType: 'contact' | 'company';
  readonly propertyName: string;
  /** `ALPHANUMERIC`, `MAX_LENGTH`, `MIN_LENGTH`, `MAX_NUMBER`, `MIN_NUMBER`; others are told and not enforced. */
  readonly ruleType: string;
  readonly ruleArguments: readonly string[];
}

export interface RateLimits {
  /** Requests per app in any ten seconds. */
  readonly tenSecondly: number;
  /** The same for association calls, which are counted apart. */
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
  /** IANA name; the daily limit is reset at its midnight. */
  readonly timeZone: string;
  readonly currency: string;
  readonly latencyMs: number;
  readonly rateLimits: RateLimits;
  readonly faults: readonly Fault[];

  /** Where webhooks go, as the app's configuration has it; null keeps them waiting. */
  readonly webhookUrl: string | null;
  readonly webhookDelayMs: number;
  /** HubSpot waits five seconds. 0 waits for ever. */
  readonly webhookTimeoutMs: number;
  /** Multiplies the delays between attempts (24 hours over ten retries at 1). */
  readonly webhookRetryScale: number;
  /** Share of events that come twice, 0 to 1. */
  readonly duplicateRate: number;
  readonly outOfOrder: boolean;
  readonly subscriptions: Subscriptions;
  /** Kinds of events that are never delivered, such as `privacyDeletion`, although the app subscribes to them. */
  readonly lostEvents: readonly string[];
  /** `generic` says `object.creation` and an objectTypeId, `classic` says `contact.creation`. */
  readonly eventStyle: 'generic' | 'classic';
  /** Whether the first values of a record are announced as changes too. */
  readonly propertyChangeOnCreation: boolean;

  /** Batch calls in which an `objectWriteTraceId` on every input gives a result per input. */
  readonly partialBatches: readonly ('create' | 'update')[];
  /** Where the reasons of a 400 stand: HubSpot uses both places. */
  readonly validationDetail: 'errors' | 'message' | 'both';
  /** Whether writing the value that is there already makes a history entry and an event. */
  readonly unchangedWrites: 'ignored' | 'recorded';
  readonly formatPhones: boolean;
  /** How far the search index lags behind. */
  readonly searchDelayMs: number;
  /** The beta in which a merge keeps the primary record's id. */
  readonly mergeKeepsPrimaryId: boolean;
  readonly writeRules: readonly WriteRule[];
  readonly valueRules: readonly ValueRule[];
  /** Default properties that this account does not have, on either type: no account has them all. */
  readonly lackedProperties: readonly string[];
  /** Whether answers carry the limit headers, and whether those of a search do. */
  readonly rateHeaders: boolean;
  readonly searchRateHeaders: boolean;
  /** Whether a 429 says the `policyName` of its limit. */
  readonly refusalsNamePolicy: boolean;
  /** Whether the error of a batch's input carries its `objectWriteTraceId`. */
  readonly errorsNameTrace: boolean;
  readonly duplicateInputs: 'refused' | 'accepted';
  /** Whether a batch read reports the records that do not exist. */
  readonly missingRecords: 'reported' | 'left-out';
  readonly historyBatchMost: number;
  readonly historyOrder: 'newest-first' | 'oldest-first';
  /** What the app's own writes are called in histories, and in webhooks. */
  readonly historySource: string;
  readonly changeSource: string;
  /** The same of what a person changes at the screen. */
  readonly personSource: string;
  readonly personChangeSource: string;
  /** What a property reads that was filled and then emptied. */
  readonly emptiedValues: 'null' | 'empty-text';
  readonly lowerCaseEmails: boolean;
  readonly bareDomains: boolean;
  /** Whether a batch read under an id that was merged away gives the merged record. */
  readonly mergedIdsRead: boolean;
  /** Whether HubSpot makes and associates a company from the domain of a new contact's address. */
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

/** Limits are those of a Professional account with a privately distributed app. */
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
 * The settings with the keys of `patch` put over them; `rateLimits` is merged one level down.
 * @throws Error naming the key, when it is unknown or its value is of another kind than the default.
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
