import { type CrmRecord, type CrmWriteResult, isAboutPerson, type PropertyDefinitions } from '#shared/crm';
import {
  type Dropped,
  type EnrichmentStatus,
  mapAnswer,
  noticeDueMs,
  type Proposal,
} from '#shared/field-policy';
import {
  addressesOf,
  companyDomain,
  domainsInAnswer,
  employerDomains,
  employerOf,
  hasEmployerId,
  weighEvidence,
} from '#shared/identity';
import { assert, dayOf, utcDay } from '#shared/kernel';
import { type Explanation, isRejectedSubject, verdictOn } from '#shared/ownership';
import { LOOKUPS, lookupsOf, type QuestionOperation } from '#shared/questions';
import { because, explanationText, type OutcomeKind, withNotes } from '#shared/records';
import type { RecordAnswer } from '../ask/endings.ts';
import { knownOf, subjectKeys } from '../ask/known-answer.ts';
import { correctedRecord } from '../ask/plan-record.ts';
import { isNeverDue, leavesNoLookup } from '../memory.ts';
import type { PortalShape } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';

/**
 * Conflict of employers between the answer and the record. If we wrote the deciding address ourselves, it is no
 * conflict.
 */
export interface Elsewhere {
  /** Evidence that decided: `address` or `association`. */
  readonly by: string;
  readonly reason: Explanation;
}

interface Judging {
  /** The record without our values of a former person or company. */
  readonly record: CrmRecord;
  readonly families: Families;
}

/**
 * Decides whether the answer is about the record. If evidence speaks against it, or a person rejected its person or
 * company before, a person must decide.
 * @returns `isConfirmed`: a person said that it is, in spite of contrary evidence.
 */
function judgeAnswer(
  { digest }: Pick<EnrichmentServices, 'digest'>,
  { held, answer, operation, askedDomain, accepted, questionKey, askedAtMs }: Found,
  { record, families }: Judging,
): { readonly doubt?: Explanation; readonly isConfirmed: boolean } {
  const { verdicts } = held.state;
  const isAccepted = accepted === 'contradiction' || accepted === 'job-change';
  const inSpiteOf = isAccepted ? accepted : verdictOn(verdicts, { questionKey, askedAtMs })?.inSpiteOf;
  const isConfirmed = inSpiteOf !== undefined;
  const verdict = weighEvidence('identity', { record, answer, askedDomain, families });
  const doubt =
    verdict.kind === 'contradiction' ? verdict.reason : phoneDoubt({ record, answer, operation, families });
  if (doubt !== undefined && inSpiteOf !== 'contradiction') return { doubt: because(doubt), isConfirmed };
  const about = subjectKeys(digest, { operation, record: answer });
  if (!isConfirmed && isRejectedSubject(verdicts, about))
    return { doubt: because('rejected-before'), isConfirmed };
  return { isConfirmed };
}

/** Whether the last answer named the employer, and was not rejected. */
function isEmployerOfLastAnswer({ state }: ClaimedRecord, employer: string | undefined): boolean {
  const { answeredQuestion: questionKey, answeredAtMs: askedAtMs } = state;
  if (employer === undefined || employer !== state.employer) return false;
  if (questionKey === undefined || askedAtMs === undefined) return false;
  return verdictOn(state.verdicts, { questionKey, askedAtMs })?.rejected === undefined;
}

/**
 * Returns why an answer that was found by a phone number needs a person. Several people use one number, so something
 * else has to agree, and no employer may contradict.
 */
function phoneDoubt({
  operation,
  ...given
}: Pick<Found, 'answer' | 'operation'> & {
  readonly record: CrmRecord;
  readonly families: Families;
}) {
  if (!LOOKUPS[operation].needs.flat().includes('phone')) return undefined;
  const verdicts = (['identity', 'employer', 'stated'] as const).map((subject) =>
    weighEvidence(subject, given),
  );
  const contradiction = verdicts.find((verdict) => verdict.kind === 'contradiction');
  if (contradiction) return contradiction.reason;
  const agrees = verdicts.some(({ found }) => found.some(({ agreement }) => agreement === 'agree'));
  return agrees ? undefined : 'phone-alone';
}

function elsewhereOf({ answer }: Found, record: CrmRecord, families: Families): Elsewhere | undefined {
  const verdict = weighEvidence('employer', { record, answer, families });
  return verdict.kind === 'contradiction' ? { by: verdict.by, reason: because(verdict.reason) } : undefined;
}

type Found = Extract<RecordAnswer, { kind: 'found' }>;

/**
 * Finds out whether a person has edited the record so that it describes another person or company. Then only our former
 * values contradict the new answer.
 * @returns the record without our former values; `undefined` if the identity is the same.
 */
function correctedIdentity(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  { held, answer, askedDomain, questionKey }: Found,
): CrmRecord | undefined {
  const corrected = held.state.answeredQuestion === questionKey ? undefined : correctedRecord(services, held);
  if (!corrected) return undefined;
  const { given, identity, isLedToFormer } = corrected;
  const isContradicted = (record: CrmRecord) =>
    [record, byNameAlone(record)].some(
      (compared) =>
        weighEvidence('identity', { record: compared, answer, askedDomain }).kind === 'contradiction',
    );
  if (isContradicted(given)) return undefined;
  if (identity === 'another') return given;
  return !isLedToFormer && isContradicted(held.record) ? given : undefined;
}

/** Keeps only the name of a company. A company may still have its former name after a person corrected its domain. */
function byNameAlone(record: CrmRecord): CrmRecord {
  const { name = null } = record.properties;
  return isAboutPerson(record) ? record : { ...record, properties: { name } };
}

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'companies'>;
};

/** Groups of domains of related companies. */
export type Families = readonly (readonly string[])[];

/**
 * Looks up related employers. Uses HubSpot's parent companies and additional domains, in one search, and the domains in
 * stored answers about companies. Costs no credits.
 */
async function familiesOf(services: Services, answers: readonly Found[]): Promise<Families> {
  const domains = [...new Set(answers.flatMap(namedDomains))];
  const companies = await services.crm.companies.withDomains(domains);
  const groups = Map.groupBy(companies, ({ id, parentId }) => parentId ?? id);
  const known = await Promise.all(domains.map((domain) => domainsOfVendor(services, domain)));
  return [
    ...[...groups.values()].map((group) =>
      group.flatMap(({ domain, additional }) => [domain, ...additional]),
    ),
    ...known,
  ];
}

/** Returns the domains of the employers that the record and the answer name. */
function namedDomains({ held: { record }, answer, askedDomain }: Found): string[] {
  const { email } = answer;
  const bought = typeof email === 'string' ? addressesOf({ properties: { email } }) : [];
  const addresses = [...addressesOf(record), ...bought].flatMap(({ domain, free }) => (free ? [] : [domain]));
  const domains = [
    ...(record.companyDomains ?? []),
    ...addresses,
    ...employerDomains(answer),
    askedDomain ?? '',
  ];
  return domains.flatMap((domain) => companyDomain(domain) ?? []);
}

async function domainsOfVendor(services: Services, domain: string): Promise<string[]> {
  for (const operation of lookupsOf('company')) {
    const known = await knownOf(services, { operation, by: { domain }, options: [] });
    if (known?.kind === 'found') return [domain, ...domainsInAnswer(known.record)];
  }
  return [];
}

/**
 * The writes that follow from an answer, or from a run without an answer. They do not depend on the record's present
 * values.
 */
export interface WriteDraft {
  readonly held: ClaimedRecord;
  readonly answered: RecordAnswer;
  readonly outcome: OutcomeKind;
  readonly reason: Explanation;
  readonly status: EnrichmentStatus;
  readonly proposals: readonly Proposal[];
  /** Values of the answer that fit no property, or none of its choices. */
  readonly dropped: readonly Dropped[];
  /** Values that HubSpot refused in this run. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /**
   * Conflict of employers. The contact's address or company names another employer than the answer, and the policy does
   * not follow the contact to the new employer.
   */
  readonly elsewhere?: Elsewhere | undefined;
  /** The same conflict, if the policy or a person follows the contact to the new employer. */
  readonly followed?: Elsewhere | undefined;
  /** Keyed hash of the employer that the answer names. */
  readonly employer?: string | undefined;
  /** A person corrected the record's identity. So our values of the former person are removed. */
  readonly hasNewIdentity?: boolean | undefined;
  /** Set if a run has no answer, and our values may be about a former person or company. */
  readonly isUnclear?: boolean | undefined;
  /** Groups of employers that count as one employer. */
  readonly families?: Families | undefined;
}

/** A property that is left out of the write, with HubSpot's reason. The reason holds codes and names, but no values. */
export interface LeftOut {
  readonly property: string;
  readonly reason: string;
  /** Whether an administrator can remove the cause. */
  readonly isLiftable?: boolean | undefined;
}

/**
 * Makes a draft for each answer. If answers name another employer than their record, one lookup finds out which
 * employers are related.
 */
export async function draftsOf(
  services: EnrichmentServices,
  answers: readonly RecordAnswer[],
  portal: PortalShape,
): Promise<WriteDraft[]> {
  const drafts = answers.map((answered) => draftOf(services, answered, portal));
  const withConflict = drafts.flatMap(({ answered, elsewhere, followed, status, dropped }) => {
    const isForeignAddress = dropped.some(({ code }) => code === 'other-employer');
    const hasConflict = (elsewhere ?? followed) !== undefined || status === 'review' || isForeignAddress;
    return hasConflict && answered.kind === 'found' ? [answered] : [];
  });
  if (withConflict.length === 0) return drafts;
  const families = await familiesOf(services, withConflict);
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
  const { answer, operation } = answered;
  const recordWithoutOurs = correctedIdentity(services, answered);
  const record = recordWithoutOurs ?? held.record;
  const { doubt, isConfirmed } = judgeAnswer(services, answered, { record, families });
  if (doubt) return { held, answered, outcome: 'unmatched', reason: doubt, status: 'review', ...NO_VALUES };
  const { proposed, dropped } = mapAnswer({
    rules: services.policy.fields[held.objectType],
    answer,
    definitions,
    currency,
    families,
  });
  const accepted = answered.accepted === undefined ? [] : [because('accepted')];
  const reason = withNotes(because('matched', { operation }), accepted);
  const matched = { outcome: 'enriched', reason, status: 'enriched' } as const;
  const isFollowed = services.policy.jobChange === 'follow' || isConfirmed;
  const named = isAboutPerson(held) ? employerOf(answer) : undefined;
  const employer = named && services.digest.keyed(JSON.stringify(['employer', named]));
  // The address of a renamed employer is no conflict. An employer that a person typed still is one.
  const isSameEmployer = hasEmployerId(answer) && isEmployerOfLastAnswer(held, employer);
  const elsewhere = isSameEmployer ? undefined : elsewhereOf(answered, record, families);
  return {
    held,
    answered,
    ...matched,
    dropped,
    families,
    proposals: recordWithoutOurs ? replacingFormer(proposed) : proposed,
    hasNewIdentity: recordWithoutOurs !== undefined,
    ...(isFollowed ? { followed: elsewhere } : { elsewhere }),
    employer,
  };
}

/**
 * Makes a draft without an answer. If a person corrected the record's identity, removes our values of the former
 * identity, or lets a person decide.
 */
function draftOfEnded(
  services: EnrichmentServices,
  answered: Extract<RecordAnswer, { kind: 'ended' }>,
): WriteDraft {
  const { held, runOutcome } = answered;
  assert(runOutcome.kind === 'outcome', 'a postponed run has no draft');
  const { outcome, status = outcome, reason } = runOutcome;
  const draft = { held, answered, outcome, reason, status, ...NO_VALUES };
  const isKnown = outcome === 'unmatched' || outcome === 'skipped';
  const { identity } = (isKnown && correctedRecord(services, held)) || {};
  if (identity === 'another')
    return {
      ...draft,
      hasNewIdentity: true,
      reason: withNotes(reason, [because('former-values-removed')]),
    };
  if (identity !== 'unclear') return draft;
  return {
    ...draft,
    status: 'review',
    isUnclear: true,
    reason: withNotes(reason, [because('former-values-unclear')]),
  };
}

const NO_VALUES = { proposals: [], dropped: [] };

interface RefusedWrite {
  readonly draft: WriteDraft;
  readonly writes: Readonly<Record<string, string>>;
  /** The writes that restore people's values. */
  readonly back: Readonly<Record<string, unknown>>;
}

/**
 * Returns the draft without the refused properties, which may be statuses; `undefined` if none can be left out. A
 * person's value that is restored is never left out.
 */
export function withoutRefused(
  { draft, writes, back }: RefusedWrite,
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

/** Lets the answer replace our remaining values of the former identity. */
function replacingFormer(proposals: readonly Proposal[]): Proposal[] {
  return proposals.map((proposal) =>
    proposal.rule.write === 'fill-blank'
      ? { ...proposal, rule: { ...proposal.rule, write: 'ours' as const } }
      : proposal,
  );
}

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
