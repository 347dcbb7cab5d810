import { type CrmRecord, isAboutPerson } from '#shared/crm';
import { noticeDueMs } from '#shared/field-policy';
import type { EnrichmentServices } from '../services.ts';

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
