import { type BackfillItems, memberExpiry, memberPlace } from '#shared/enrichment/backfill/members.ts';
import { backfillSchema, memberSchema } from '#shared/enrichment/backfill/schemas.ts';
import { backfillPlace } from '#shared/enrichment/backfill/transitions.ts';
import { policyPlace } from '#shared/enrichment/policy-change/archive.ts';
import { archivedPolicySchema } from '#shared/enrichment/policy-change/schemas.ts';
import {
  type ExecutionItems,
  executionExpiry,
  executionPlace,
  type RequestItems,
  requestExpiry,
  wrongMatchPlace,
} from '#shared/enrichment/requests/items.ts';
import {
  actionExecutionSchema,
  personRequestSchema,
  wrongMatchSchema,
} from '#shared/enrichment/requests/schemas.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Digest } from '#shared/kernel/digest.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import type { Metrics } from '#shared/metrics/metrics.ts';
import { meterRecords } from '#shared/metrics/record-metrics.ts';
import { auditDeletions, type DeletionAuditServices } from '#shared/privacy/audit-deletions.ts';
import { vendorFindingsSchema } from '#shared/questions/schemas.ts';
import { auditNext } from '#shared/records/audit.ts';
import { createDailyBrought } from '#shared/records/brought/daily-brought.ts';
import { broughtDaySchema } from '#shared/records/brought/schemas.ts';
import { companyClaimExpiry, createCompanyClaims } from '#shared/records/company-claims.ts';
import { countWaiting, lastWaiting } from '#shared/records/count-waiting.ts';
import { markerPlace, measureIndexLag } from '#shared/records/index-lag.ts';
import { createJournal, journalExpiry } from '#shared/records/journal.ts';
import { journalPlace } from '#shared/records/journal-entry.ts';
import { createOwnPortal, type OwnPortalServices, pinnedPortalId } from '#shared/records/own-portal.ts';
import { recordPlace } from '#shared/records/record-state.ts';
import {
  deletionAuditSchema,
  indexMarkerSchema,
  runAuditSchema,
  waitingCountSchema,
  waitingPassSchema,
} from '#shared/records/rounds/schemas.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import {
  companyClaimSchema,
  journalEntrySchema,
  pinnedPortalSchema,
  recordStateSchema,
  sweepCursorSchema,
  writeBreakerSchema,
} from '#shared/records/schemas.ts';
import { pickWaiting } from '#shared/records/waiting-pass.ts';
import { createWriteBreakers } from '#shared/records/write-breaker.ts';
import { createReviews, reviewExpiry, reviewPlace } from '#shared/review/reviews.ts';
import { reviewSchema } from '#shared/review/schemas.ts';
import { createDynamoItems } from '#shared/versioned-items/store.dynamo.ts';
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
