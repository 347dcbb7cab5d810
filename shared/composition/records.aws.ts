import {
  archivedPolicyKind,
  type BackfillItems,
  backfillKind,
  type ExecutionItems,
  executionKind,
  memberKind,
  type RequestItems,
  requestKind,
  wrongMatchKind,
} from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import type { Digest, Logger } from '#shared/kernel';
import { type Metrics, meterRecords } from '#shared/metrics';
import { auditDeletions, type DeletionAuditServices } from '#shared/privacy';
import { vendorFindingsKind } from '#shared/questions';
import {
  auditNext,
  broughtDayKind,
  companyClaimKind,
  countWaiting,
  createCompanyClaims,
  createDailyBrought,
  createJournal,
  createOwnPortal,
  createWriteBreakers,
  deletionAuditKind,
  indexMarkerKind,
  journalKind,
  lastWaiting,
  measureIndexLag,
  type OwnPortalServices,
  pickWaiting,
  pinnedPortalId,
  pinnedPortalKind,
  type RecordState,
  recordKind,
  runAuditKind,
  sweepCursorKind,
  waitingCountKind,
  waitingPassKind,
  writeBreakerKind,
} from '#shared/records';
import { createReviews, reviewKind } from '#shared/review';
import { openItems, type Storage } from './storage.aws.ts';

/** @param settings.metrics nobody counts unless given. */
export function createRecords(settings: Storage<'records'> & { readonly metrics?: Metrics }) {
  const { metrics } = settings;
  const items = openItems(settings, recordKind);
  return metrics ? meterRecords(items, metrics) : items;
}

export function createWriteJournal(settings: Storage<'records'>) {
  return createJournal({
    items: openItems(settings, journalKind),
    clock: settings.clock,
  });
}

/** What is up for review is kept as long as the journal. */
export function createDynamoReviews(settings: Storage<'records'>) {
  return createReviews({
    items: openItems(settings, reviewKind),
    clock: settings.clock,
  });
}

export function createClaims(settings: Storage<'records'> & { readonly digest: Digest }) {
  const { digest, clock } = settings;
  const items = openItems(settings, companyClaimKind);
  return createCompanyClaims({ items, digest, clock });
}

/** Quotes and backfills, and the records that are theirs. */
export function createBackfills(settings: Storage<'records'>): BackfillItems {
  return {
    backfills: openItems(settings, backfillKind),
    members: openItems(settings, memberKind),
  };
}

/** What people ask for in HubSpot, and what they found wrong. */
export function createRequests(settings: Storage<'records'>): RequestItems {
  return {
    requests: openItems(settings, requestKind),
    wrongMatches: openItems(settings, wrongMatchKind),
  };
}

/** Executions of the workflow's action that HubSpot holds. */
export function createExecutions(settings: Storage<'records'>): ExecutionItems {
  return openItems(settings, executionKind);
}

/** Policies that were in force. */
export function createPolicies(settings: Storage<'records'>) {
  return openItems(settings, archivedPolicyKind);
}

/** Shows whether the index of records is behind. */
export function createIndexLag(settings: Storage<'records'>) {
  const markers = openItems(settings, indexMarkerKind);
  return () => measureIndexLag({ markers, clock: settings.clock });
}

/** How far the sweeps have come. */
export function createCursors(settings: Storage<'rateLimiter'>) {
  return openItems(settings, sweepCursorKind);
}

/** The rounds through all records. */
export function createRounds(
  settings: Storage<'rateLimiter'>,
  services: Omit<DeletionAuditServices, 'items' | 'clock' | 'logger'>,
) {
  const { clock } = settings;
  const { records } = services;
  const deletions = openItems(settings, deletionAuditKind);
  const audits = openItems(settings, runAuditKind);
  const passes = openItems(settings, waitingPassKind);
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
  return openItems(settings, waitingCountKind);
}

export function createDynamoWriteBreakers(settings: Storage<'rateLimiter'>) {
  const items = openItems(settings, writeBreakerKind);
  return createWriteBreakers({ items, clock: settings.clock });
}

/** What runs brought, by day. */
export function createDynamoDailyBrought(
  settings: Storage<'rateLimiter'> & { readonly policy: Pick<Policy, 'timeZone' | 'journalDays'> },
) {
  const items = openItems(settings, broughtDayKind);
  return createDailyBrought({ items, clock: settings.clock, timeZone: settings.policy.timeZone });
}

/** What a probe has learned of the data service. */
export function createFindings(settings: Storage<'rateLimiter'>) {
  return openItems(settings, vendorFindingsKind);
}

/** The number of the HubSpot account that we work for, for those who only look. @param configured the operator's word. */
export function createPortalId(settings: Storage<'rateLimiter'>, configured: string | undefined) {
  const items = openItems(settings, pinnedPortalKind);
  return async () => configured ?? pinnedPortalId(items);
}

/** The HubSpot account that we work for. */
export function createPortal(
  settings: Storage<'rateLimiter'>,
  of: Omit<OwnPortalServices, 'items' | 'clock'>,
) {
  const items = openItems(settings, pinnedPortalKind);
  return createOwnPortal({ items, clock: settings.clock, ...of });
}
