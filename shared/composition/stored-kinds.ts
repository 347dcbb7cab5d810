import { toldKind } from '#shared/alerts';
import { auditCursorKind, ledgerEntryKind } from '#shared/credit-ledger';
import {
  archivedPolicyKind,
  backfillKind,
  executionKind,
  memberKind,
  requestKind,
  wrongMatchKind,
} from '#shared/enrichment';
import {
  breakersKind,
  questionKind,
  sideItemKind,
  suppressionKind,
  unknownMissesKind,
  vendorFindingsKind,
} from '#shared/questions';
import { rateLimiterKind } from '#shared/rate-limiter';
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
} from '#shared/records';
import { reviewKind } from '#shared/review';
import { spendHeadKind, spendMonthKind } from '#shared/spend';

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
