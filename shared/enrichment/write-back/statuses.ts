import { type CrmRecord, isAboutPerson, type PropertyDefinitions } from '#shared/crm';
import { type EnrichmentStatus, noticeDueMs, type Proposal } from '#shared/field-policy';
import { dayOf, utcDay } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import type { QuestionOperation } from '#shared/questions';
import { explanationText } from '#shared/records';
import { isNeverDue, leavesNoLookup } from '../memory.ts';
import type { EnrichmentServices } from '../services.ts';
import type { WriteDraft } from './draft.ts';

export const STATUS_PROPERTIES = [
  'enrichment_status',
  'enrichment_reason',
  'enrichment_credits',
  'enrichment_last_at',
  'enrichment_source',
  'enrichment_requested',
  'enrichment_next_check_at',
  'enrichment_first_at',
  'enrichment_notice_due',
] as const;

/** Whether this is a status property. Only we write statuses, so a person who changes one loses nothing. */
export function isStatus(property: string): boolean {
  return STATUSES.has(property);
}

const STATUSES: ReadonlySet<string> = new Set(STATUS_PROPERTIES);

interface Status {
  readonly status: EnrichmentStatus;
  readonly reason: Explanation;
  /** Credits spent on the record in all its runs. */
  readonly creditsSpent: number;
  /** Whether a person requested the record in HubSpot. The write resets the request. */
  readonly requested: boolean;
  /** Present only for a new answer. Without it, the source and the date of the last answer stay. */
  readonly answer?: { readonly askedAtMs: number; readonly operation: QuestionOperation } | undefined;
  /** Time from which the record is due for its next lookup. Absent if this run changes nothing about it. */
  readonly nextCheckMs?: number | undefined;
  /** Time zone of the policy, in which the next check has its day. */
  readonly timeZone: string;
  /**
   * For a contact: the time when we first obtained data about the person, and the due date of the notice to the person.
   */
  readonly firstAtMs?: number | undefined;
  readonly noticeMs?: number | undefined;
}

/**
 * Returns the status values that users build lists and workflows on. Properties that the portal does not have are left
 * out.
 */
export function statusProposals(status: Status, definitions: PropertyDefinitions): Proposal[] {
  const values: [(typeof STATUS_PROPERTIES)[number], string][] = [
    ['enrichment_status', status.status],
    ['enrichment_reason', explanationText(status.reason)],
    ['enrichment_credits', String(status.creditsSpent)],
  ];
  if (status.answer) {
    values.push(['enrichment_last_at', new Date(status.answer.askedAtMs).toISOString()]);
    values.push(['enrichment_source', status.answer.operation]);
  }
  if (status.nextCheckMs !== undefined)
    values.push(['enrichment_next_check_at', dayOf(status.nextCheckMs, status.timeZone)]);
  if (status.firstAtMs !== undefined)
    values.push(['enrichment_first_at', new Date(status.firstAtMs).toISOString()]);
  if (status.noticeMs !== undefined) values.push(['enrichment_notice_due', utcDay(status.noticeMs)]);
  if (status.requested) values.push(['enrichment_requested', 'false']);
  return values
    .filter(([property]) => definitions.has(property))
    .map(([property, value]) => ({
      property,
      value,
      rule: { property, from: property, convert: 'text', write: 'always' },
    }));
}

interface Notice {
  readonly firstAtMs?: number | undefined;
  readonly noticeMs?: number | undefined;
  readonly emptied?: Readonly<Record<string, string>>;
}

/**
 * Returns the due date of the notice to the person, by the rules and the present record. A notice that was sent keeps
 * its date.
 */
export function noticeOf(
  { policy, clock }: EnrichmentServices,
  current: CrmRecord,
  firstAtMs: number | undefined,
): Notice {
  if (!isAboutPerson(current)) return {};
  const shownMs = Date.parse(current.properties['enrichment_first_at'] ?? '');
  const sinceMs = firstAtMs ?? (Number.isNaN(shownMs) ? undefined : shownMs);
  if (sinceMs === undefined || current.properties['enrichment_notice_sent_at']) return { firstAtMs };
  const noticeMs = noticeDueMs(policy, current, { firstAtMs: sinceMs, nowMs: clock.now() });
  const isPast = noticeMs === undefined && current.properties['enrichment_notice_due'];
  return { firstAtMs, noticeMs, ...(isPast && { emptied: { enrichment_notice_due: '' } }) };
}

/**
 * Returns when the record is due for its next lookup: a match at the end of its freshness, a miss at its retry. The date
 * of a record that the policy does not refresh, or that nothing is left to look up by, is emptied.
 */
export function nextCheckOf(
  { outcome, reason, held, answered }: WriteDraft,
  { current, isReported }: { readonly current: CrmRecord; readonly isReported: boolean },
): { readonly nextCheckMs?: number | undefined; readonly emptied?: Readonly<Record<string, string>> } {
  if (isNeverDue(held.admission) || leavesNoLookup({ kind: outcome, reason }))
    return current.properties['enrichment_next_check_at']
      ? { emptied: { enrichment_next_check_at: '' } }
      : {};
  if (outcome === 'skipped') return {};
  // A rule that excluded the record had emptied the date.
  const isShown = Boolean(current.properties['enrichment_next_check_at']);
  if (answered.kind === 'found') return isReported || !isShown ? { nextCheckMs: answered.expiresAtMs } : {};
  return { nextCheckMs: answered.runOutcome.learned.staleAtMs ?? held.state.staleAtMs };
}
