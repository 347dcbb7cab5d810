import type { CrmRecord, CrmWriteResult, PropertyDefinitions } from '#shared/crm';
import { type Dropped, type EnrichmentStatus, mapAnswer, type Proposal } from '#shared/field-policy';
import { employerOf, weighEvidence } from '#shared/identity';
import { utcDay } from '#shared/kernel';
import { verdictOn } from '#shared/ownership';
import type { QuestionOperation } from '#shared/questions';
import type { OutcomeKind } from '#shared/records';
import { OPERATION_WORDS, type RecordAnswer } from '../ask/answered.ts';
import { correctedRecord } from '../ask/former-identity.ts';
import type { PortalShape } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { correctedIdentity, replacingFormer } from './corrected-identity.ts';
import { type Families, familiesOf } from './employer-families.ts';

/** The writes that an answer, or its lack, leads to, independent of the record's present values. */
export interface WriteDraft {
  readonly held: ClaimedRecord;
  readonly answered: RecordAnswer;
  readonly outcome: OutcomeKind;
  readonly reason: string;
  readonly status: EnrichmentStatus;
  readonly proposals: readonly Proposal[];
  /** Values of the answer that fit no property, or none of its choices. */
  readonly dropped: readonly Dropped[];
  /** Values that HubSpot refused in this run. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /**
   * The contact's address or company names another employer than the answer, and the policy does not follow the
   * contact.
   */
  readonly elsewhere?: Elsewhere | undefined;
  /** The same, if the policy or a person follows the contact. */
  readonly followed?: Elsewhere | undefined;
  /** Keyed hash of the employer that the answer names. */
  readonly employer?: string | undefined;
  /** A person corrected the record's identity: our values of the former person are removed. */
  readonly hasNewIdentity?: boolean | undefined;
  /** There is no answer, and our values may be about a former person or company. */
  readonly isUnclear?: boolean | undefined;
  /** Employers that count as one. */
  readonly families?: Families | undefined;
}

/**
 * Conflict of employers. With `address`, one employer may come from an address that we wrote ourselves: then there is
 * no conflict.
 */
export interface Elsewhere {
  /** The evidence that decided: `address` or `association`. */
  readonly by: string;
  /** For a person. */
  readonly reason: string;
}

/** A property that is left out of the write, and HubSpot's reason: codes and names, no values. */
export interface LeftOut {
  readonly property: string;
  readonly reason: string;
  /** An administrator can remove the cause. */
  readonly isLiftable?: boolean | undefined;
}

/**
 * Makes a draft for each answer. If an answer names another employer than the record, it looks up once whether the two
 * are related.
 */
export async function draftsOf(
  services: EnrichmentServices,
  answers: readonly RecordAnswer[],
  portal: PortalShape,
): Promise<WriteDraft[]> {
  const drafts = answers.map((answered) => draftOf(services, answered, portal));
  const apart = drafts.flatMap(({ answered, elsewhere, followed, status }) => {
    const isApart = (elsewhere ?? followed) !== undefined || status === 'review';
    return isApart && answered.kind === 'found' ? [answered] : [];
  });
  if (apart.length === 0) return drafts;
  const families = await familiesOf(services, apart);
  return answers.map((answered) => draftOf(services, answered, portal, families));
}

function draftOf(
  services: EnrichmentServices,
  answered: RecordAnswer,
  { definitions, currency }: PortalShape,
  families: Families = [],
): WriteDraft {
  const { held } = answered;
  if (answered.kind === 'ended') return draftOfEnded(services, answered);
  const { answer, operation, askedDomain } = answered;
  const other = correctedIdentity(services, answered);
  const record = other ?? held.record;
  const bySearch = operation === 'companiesByDomain';
  const verdict = weighEvidence('identity', { record, answer, askedDomain, bySearch, families });
  // A person confirmed that the answer is about the record, in spite of contrary evidence.
  const taken = verdictOn(held.state.verdicts, answered)?.inSpiteOf;
  const { accepted } = answered;
  const inSpiteOf = accepted === 'contradiction' || accepted === 'job-change' ? accepted : taken;
  if (verdict.kind === 'contradiction' && inSpiteOf !== 'contradiction') {
    const { reason } = verdict;
    return { held, answered, outcome: 'unmatched', reason, status: 'review', ...EMPTY };
  }
  const { proposed, dropped } = mapAnswer({
    rules: services.policy.fields[held.objectType],
    answer,
    definitions,
    currency,
  });
  const reason = `Matched ${OPERATION_WORDS[operation]}.`;
  const matched = { outcome: 'enriched', reason, status: 'enriched' } as const;
  const elsewhere = elsewhereOf(answered, record, families);
  const isFollowed = services.policy.jobChange === 'follow' || inSpiteOf !== undefined;
  const named = held.objectType === 'contacts' ? employerOf(answer) : undefined;
  return {
    ...{ held, answered, ...matched, dropped, families },
    ...{ proposals: other ? replacingFormer(proposed) : proposed, hasNewIdentity: other !== undefined },
    ...(isFollowed ? { followed: elsewhere } : { elsewhere }),
    employer: named && services.digest.keyed(JSON.stringify(['employer', named])),
  };
}

/**
 * Makes a draft without an answer. For a corrected record, our values of the former identity are removed, or a person
 * decides.
 */
function draftOfEnded(
  services: EnrichmentServices,
  answered: Extract<RecordAnswer, { kind: 'ended' }>,
): WriteDraft {
  const { held, runOutcome } = answered;
  const { outcome, status = outcome } =
    runOutcome.kind === 'outcome' ? runOutcome : ({ outcome: 'failed' } as const);
  const { reason } = runOutcome;
  const draft = { held, answered, outcome, reason, status, ...EMPTY };
  const isKnown = outcome === 'unmatched' || outcome === 'skipped';
  const { identity } = (isKnown && correctedRecord(services, held)) || {};
  if (identity === 'another')
    return { ...draft, hasNewIdentity: true, reason: `${reason} ${CHANGED} our earlier values are removed.` };
  if (identity !== 'unclear') return draft;
  return {
    ...draft,
    status: 'review',
    isUnclear: true,
    reason: `${reason} ${CHANGED} check our earlier values.`,
  };
}

const EMPTY = { proposals: [], dropped: [] };

const CHANGED = 'A person changed its identity:';

function elsewhereOf({ answer }: Found, record: CrmRecord, families: Families): Elsewhere | undefined {
  const verdict = weighEvidence('employer', { record, answer, families });
  return verdict.kind === 'contradiction' ? verdict : undefined;
}

type Found = Extract<RecordAnswer, { kind: 'found' }>;

interface Refused {
  readonly draft: WriteDraft;
  readonly writes: Readonly<Record<string, string>>;
  /** The writes that restore people's values. */
  readonly back: Readonly<Record<string, unknown>>;
}

/**
 * Returns the draft without the refused properties, statuses included; `undefined` if none can be left out. A value
 * that is restored to a person is never left out.
 */
export function withoutRefused(
  { draft, writes, back }: Refused,
  { reason, properties, isLiftable }: Extract<CrmWriteResult, { kind: 'refused' }>,
): WriteDraft | undefined {
  const refused = properties.filter((name) => Object.hasOwn(writes, name) && !Object.hasOwn(back, name));
  if (refused.length === 0) return undefined;
  return {
    ...draft,
    leftOut: [...(draft.leftOut ?? []), ...refused.map((property) => ({ property, reason, isLiftable }))],
    proposals: draft.proposals.filter(({ property }) => !refused.includes(property)),
  };
}

export const STATUS_PROPERTIES = [
  'enrichment_status',
  'enrichment_reason',
  'enrichment_credits',
  'enrichment_last_at',
  'enrichment_source',
  'enrichment_requested',
  'enrichment_trust_until',
  'enrichment_first_at',
  'enrichment_notice_due',
] as const;

/** Whether this is a status property. Only we write statuses, so a person who changes one loses nothing. */
export function isStatus(property: string): boolean {
  return STATUSES.has(property);
}

const STATUSES: ReadonlySet<string> = new Set(STATUS_PROPERTIES);

export interface Status {
  readonly status: EnrichmentStatus;
  readonly reason: string;
  /** Spent on the record in all its runs. */
  readonly creditsSpent: number;
  /** A person requested the record in HubSpot; the write resets the request. */
  readonly requested: boolean;
  /** Only for a new answer; otherwise the source and the date of the last answer stay. */
  readonly answer?: { readonly askedAtMs: number; readonly operation: QuestionOperation } | undefined;
  /** Epoch milliseconds. Written only with an answer: rewriting it daily would start a loop of change events. */
  readonly trustUntilMs?: number | undefined;
  /**
   * Of a contact: the time when data of the person were first obtained, and the due date of the notice to the person.
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
    ['enrichment_reason', status.reason],
    ['enrichment_credits', String(status.creditsSpent)],
  ];
  if (status.answer) {
    values.push(['enrichment_last_at', new Date(status.answer.askedAtMs).toISOString()]);
    values.push(['enrichment_source', status.answer.operation]);
  }
  if (status.trustUntilMs !== undefined) values.push(['enrichment_trust_until', utcDay(status.trustUntilMs)]);
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
