import { toldKind } from '#shared/alerts/stored-kinds.ts';
import { auditCursorKind, ledgerEntryKind } from '#shared/credit-ledger/stored-kinds.ts';
import { backfillKind, memberKind } from '#shared/enrichment/backfill/stored-kinds.ts';
import { archivedPolicyKind } from '#shared/enrichment/policy-change/stored-kinds.ts';
import { executionKind, requestKind, wrongMatchKind } from '#shared/enrichment/requests/stored-kinds.ts';
import {
  breakersKind,
  questionKind,
  sideItemKind,
  suppressionKind,
  unknownMissesKind,
  vendorFindingsKind,
} from '#shared/questions/stored-kinds.ts';
import { rateLimiterKind } from '#shared/rate-limiter/stored-kinds.ts';
import {
  broughtDayKind,
  companyClaimKind,
  deletionAuditKind,
  indexMarkerKind,
  journalKind,
  pinnedPortalKind,
  recordKind,
  runAuditKind,
  sweepCursorKind,
  waitingCountKind,
  waitingPassKind,
  writeBreakerKind,
} from '#shared/records/stored-kinds.ts';
import { reviewKind } from '#shared/review/stored-kinds.ts';
import { spendHeadKind, spendMonthKind } from '#shared/spend/stored-kinds.ts';

/** The table of stored kinds: everything that is stored, a row each. */
export const STORED_KINDS = [
  questionKind,
  sideItemKind,
  recordKind,
  journalKind,
  reviewKind,
  companyClaimKind,
  requestKind,
  wrongMatchKind,
  executionKind,
  backfillKind,
  memberKind,
  archivedPolicyKind,
  indexMarkerKind,
  ledgerEntryKind,
  suppressionKind,
  rateLimiterKind,
  breakersKind,
  writeBreakerKind,
  vendorFindingsKind,
  unknownMissesKind,
  pinnedPortalKind,
  toldKind,
  broughtDayKind,
  spendMonthKind,
  spendHeadKind,
  auditCursorKind,
  sweepCursorKind,
  runAuditKind,
  deletionAuditKind,
  waitingCountKind,
  waitingPassKind,
] as const;
