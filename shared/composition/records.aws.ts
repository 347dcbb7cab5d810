import {
  actionExecutionSchema,
  archivedPolicySchema,
  type BackfillItems,
  backfillPlace,
  backfillSchema,
  type ExecutionItems,
  executionExpiry,
  executionPlace,
  memberExpiry,
  memberPlace,
  memberSchema,
  personRequestSchema,
  policyPlace,
  type RequestItems,
  requestExpiry,
  wrongMatchPlace,
  wrongMatchSchema,
} from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import type { Digest, Logger } from '#shared/kernel';
import { type Metrics, meterRecords } from '#shared/metrics';
import { auditDeletions, type DeletionAuditServices } from '#shared/privacy';
import { vendorFindingsSchema } from '#shared/questions';
import {
  auditNext,
  broughtDaySchema,
  companyClaimExpiry,
  companyClaimSchema,
  countWaiting,
  createCompanyClaims,
  createDailyBrought,
  createJournal,
  createOwnPortal,
  createWriteBreakers,
  deletionAuditSchema,
  indexMarkerSchema,
  journalEntrySchema,
  journalExpiry,
  journalPlace,
  lastWaiting,
  markerPlace,
  measureIndexLag,
  type OwnPortalServices,
  pickWaiting,
  pinnedPortalId,
  pinnedPortalSchema,
  type RecordState,
  recordPlace,
  recordStateSchema,
  runAuditSchema,
  sweepCursorSchema,
  waitingCountSchema,
  waitingPassSchema,
  writeBreakerSchema,
} from '#shared/records';
import { createReviews, reviewExpiry, reviewPlace, reviewSchema } from '#shared/review';
import { createDynamoItems } from '#shared/versioned-items/adapters';
import { type Storage, stored } from './storage.aws.ts';

/** @param settings.metrics nobody counts unless given. */
export function createRecords(settings: Storage<'records'> & { readonly metrics?: Metrics }) {
  const { metrics } = settings;
  const items = createDynamoItems({
    ...stored(settings, { table: 'records', schema: recordStateSchema }),
    indexPosition: recordPlace,
  });
  return metrics ? meterRecords(items, metrics) : items;
}

export function createWriteJournal(
  settings: Storage<'records'> & { readonly policy: Pick<Policy, 'journalDays'> },
) {
  return createJournal({
    items: createDynamoItems({
      ...stored(settings, { table: 'records', schema: journalEntrySchema }),
      indexPosition: journalPlace,
      expiresAtMs: journalExpiry({ keepDays: settings.policy.journalDays }),
    }),
    clock: settings.clock,
  });
}

/** What is up for review is kept as long as the journal. */
export function createDynamoReviews(
  settings: Storage<'records'> & { readonly policy: Pick<Policy, 'journalDays'> },
) {
  return createReviews({
    items: createDynamoItems({
      ...stored(settings, { table: 'records', schema: reviewSchema }),
      indexPosition: reviewPlace,
      expiresAtMs: reviewExpiry({ keepDays: settings.policy.journalDays }),
    }),
    clock: settings.clock,
  });
}

export function createClaims(settings: Storage<'records'> & { readonly digest: Digest }) {
  const { digest, clock } = settings;
  const items = createDynamoItems({
    ...stored(settings, { table: 'records', schema: companyClaimSchema }),
    expiresAtMs: companyClaimExpiry,
  });
  return createCompanyClaims({ items, digest, clock });
}

/** Quotes and backfills, and the records that are theirs. */
export function createBackfills(settings: Storage<'records'>): BackfillItems {
  return {
    backfills: createDynamoItems({
      ...stored(settings, { table: 'records', schema: backfillSchema }),
      indexPosition: backfillPlace,
    }),
    members: createDynamoItems({
      ...stored(settings, { table: 'records', schema: memberSchema }),
      indexPosition: memberPlace,
      expiresAtMs: memberExpiry,
    }),
  };
}

/** What people ask for in HubSpot, and what they found wrong. */
export function createRequests(settings: Storage<'records'>): RequestItems {
  return {
    requests: createDynamoItems({
      ...stored(settings, { table: 'records', schema: personRequestSchema }),
      expiresAtMs: requestExpiry,
    }),
    wrongMatches: createDynamoItems({
      ...stored(settings, { table: 'records', schema: wrongMatchSchema }),
      indexPosition: wrongMatchPlace,
    }),
  };
}

/** Executions of the workflow's action that HubSpot holds. */
export function createExecutions(settings: Storage<'records'>): ExecutionItems {
  return createDynamoItems({
    ...stored(settings, { table: 'records', schema: actionExecutionSchema }),
    indexPosition: executionPlace,
    expiresAtMs: executionExpiry,
  });
}

/** Policies that were in force. */
export function createPolicies(settings: Storage<'records'>) {
  return createDynamoItems({
    ...stored(settings, { table: 'records', schema: archivedPolicySchema }),
    indexPosition: policyPlace,
  });
}

/** Shows whether the index of records is behind. */
export function createIndexLag(settings: Storage<'records'>) {
  const markers = createDynamoItems({
    ...stored(settings, { table: 'records', schema: indexMarkerSchema }),
    indexPosition: markerPlace,
  });
  return () => measureIndexLag({ markers, clock: settings.clock });
}

/** How far the sweeps have come. */
export function createCursors(settings: Storage<'rateLimiter'>) {
  return createDynamoItems(stored(settings, { table: 'rateLimiter', schema: sweepCursorSchema }));
}

/** The rounds through all records. */
export function createRounds(
  settings: Storage<'rateLimiter'>,
  services: Omit<DeletionAuditServices, 'items' | 'clock' | 'logger'>,
) {
  const { clock } = settings;
  const { records } = services;
  const deletions = createDynamoItems(
    stored(settings, { table: 'rateLimiter', schema: deletionAuditSchema }),
  );
  const audits = createDynamoItems(stored(settings, { table: 'rateLimiter', schema: runAuditSchema }));
  const passes = createDynamoItems(stored(settings, { table: 'rateLimiter', schema: waitingPassSchema }));
  return {
    audit: () => auditNext({ records, items: audits, clock }),
    count: () => countWaiting({ records, items: countItems(settings), clock }),
    waiting: (isPicked: (state: RecordState) => boolean) =>
      pickWaiting({ records, items: passes, clock }, isPicked),
    deletions: (logger: Logger) => auditDeletions({ ...services, items: deletions, clock, logger }),
  };
}

/** What the sweep has counted of what waits. */
export function createCounted(settings: Storage<'rateLimiter'>) {
  const items = countItems(settings);
  return () => lastWaiting(items);
}

function countItems(settings: Storage<'rateLimiter'>) {
  return createDynamoItems(stored(settings, { table: 'rateLimiter', schema: waitingCountSchema }));
}

export function createDynamoWriteBreakers(settings: Storage<'rateLimiter'>) {
  const items = createDynamoItems(stored(settings, { table: 'rateLimiter', schema: writeBreakerSchema }));
  return createWriteBreakers({ items, clock: settings.clock });
}

/** What runs brought, by day. */
export function createDynamoDailyBrought(
  settings: Storage<'rateLimiter'> & { readonly policy: Pick<Policy, 'timeZone'> },
) {
  const items = createDynamoItems(stored(settings, { table: 'rateLimiter', schema: broughtDaySchema }));
  return createDailyBrought({ items, clock: settings.clock, timeZone: settings.policy.timeZone });
}

/** What a probe has learned of the data service. */
export function createFindings(settings: Storage<'rateLimiter'>) {
  return createDynamoItems(stored(settings, { table: 'rateLimiter', schema: vendorFindingsSchema }));
}

/** The number of the HubSpot account that we work for, for those who only look. @param configured the operator's word. */
export function createPortalId(settings: Storage<'rateLimiter'>, configured: string | undefined) {
  const items = createDynamoItems(stored(settings, { table: 'rateLimiter', schema: pinnedPortalSchema }));
  return async () => configured ?? pinnedPortalId(items);
}

/** The HubSpot account that we work for. */
export function createPortal(
  settings: Storage<'rateLimiter'>,
  of: Omit<OwnPortalServices, 'items' | 'clock'>,
) {
  const items = createDynamoItems(stored(settings, { table: 'rateLimiter', schema: pinnedPortalSchema }));
  return createOwnPortal({ items, clock: settings.clock, ...of });
}
