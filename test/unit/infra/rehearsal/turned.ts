import type { SandboxSettings } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { DEFAULT_SETTINGS } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';

const { rateLimits, scopes } = DEFAULT_SETTINGS;

/** An account that behaves otherwise in one respect, by the assumption that this turns around. */
export const TURNED: Readonly<Record<string, Partial<SandboxSettings>>> = {
  scopes: { scopes: scopes.filter((scope) => scope !== 'automation') },
  'rate-headers': { rateHeaders: false },
  'daily-limit': { rateLimits: { ...rateLimits, daily: 250_000 } },
  'ten-second-limit': { rateLimits: { ...rateLimits, tenSecondly: 110 } },
  'association-limit': { rateLimits: { ...rateLimits, associationsTenSecondly: 190 } },
  'search-limit': { rateLimits: { ...rateLimits, searchSecondly: 50 } },
  'limit-refusal': { refusalsNamePolicy: false },
  'search-headers': { searchRateHeaders: true },
  'partial-create': { partialBatches: ['update'] },
  'partial-update': { partialBatches: ['create'] },
  'trace-in-errors': { errorsNameTrace: false },
  'refusal-detail': { validationDetail: 'message' },
  'duplicate-inputs': { duplicateInputs: 'accepted' },
  'missing-records': { missingRecords: 'left-out' },
  'history-batch-limit': { historyBatchMost: 100 },
  'lower-case-addresses': { lowerCaseEmails: false },
  'phones-as-written': { formatPhones: true },
  'emptied-values': { emptiedValues: 'empty-text' },
  'bare-domains': { bareDomains: false },
  'history-order': { historyOrder: 'oldest-first' },
  'own-source': { historySource: 'API' },
  'unchanged-writes': { unchangedWrites: 'recorded' },
  'search-lag': { searchDelayMs: 120_000 },
  'no-company-by-itself': { associateByEmailDomain: true },
  'merge-makes-a-new-id': { mergeKeepsPrimaryId: true },
  'merged-id-is-read': { mergedIdsRead: false },
  'webhook-delay': { webhookDelayMs: 60_000 },
  'webhook-signature': { clientSecret: 'another-client-secret' },
  'webhook-form': { eventStyle: 'classic' },
  'webhook-order': { outOfOrder: true },
  'webhook-once': { duplicateRate: 1 },
  'no-events-of-first-values': { propertyChangeOnCreation: true },
  'webhook-source': { changeSource: 'API' },
  'webhook-of-merge': { lostEvents: ['merge'] },
  'webhook-of-privacy-deletion': { lostEvents: ['privacyDeletion'] },
  'answer-time': { latencyMs: 11_000 },
};
