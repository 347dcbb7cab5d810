import { type CrmWriteResult, isAboutPerson } from '#shared/crm';
import { type Dropped, type EnrichmentStatus, mapAnswer, type Proposal } from '#shared/field-policy';
import { employerOf, hasEmployerId } from '#shared/identity';
import { assert } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { because, type OutcomeKind, withNotes } from '#shared/records';
import type { RecordAnswer } from '../ask/answered.ts';
import { correctedRecord } from '../ask/plan-record.ts';
import type { PortalShape } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import {
  correctedIdentity,
  type Elsewhere,
  elsewhereOf,
  type Families,
  familiesOf,
  isEmployerOfLastAnswer,
  judgeAnswer,
} from './judge-answer.ts';

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
