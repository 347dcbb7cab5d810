import { verdictOn } from '#shared/ownership';
import type { Finding } from '#shared/review';
import type { RecordAnswer } from '../ask/answered.ts';
import { ownQuestionAnsweredBy, ownQuestions } from '../ask/own-questions.ts';
import { ownershipOf } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { answerOfFinding } from './stored-answer.ts';

/**
 * Reason why the answer of a finding cannot be used. It is too old, was deleted, belongs to another record, or was
 * rejected.
 */
export type NoAcceptedAnswer = 'not-stored' | 'other-record' | 'rejected';

/** Returns the stored answer of a finding, as if it had just arrived. */
export async function acceptedAnswer(
  services: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock' | 'policy'>,
  held: ClaimedRecord,
  { kind, answer, before = {} }: Finding,
): Promise<RecordAnswer | NoAcceptedAnswer> {
  const stored = answer && (await answerOfFinding(services, answer));
  if (!stored) return 'not-stored';
  const { questionKey, operation, askedDomain, askedAtMs } = answer;
  if (verdictOn(held.state.verdicts, answer)?.rejected?.byPerson) return 'rejected';
  const ownQuestionsByKey = ownQuestions(services, {
    record: held.record,
    ownership: ownershipOf(services, held),
  });
  const storedAnswer = { key: questionKey, operation, record: stored.record };
  if (!ownQuestionAnsweredBy(services, ownQuestionsByKey, storedAnswer)) return 'other-record';
  return {
    kind: 'found',
    held: { ...held, state: asBefore(held.state, before) },
    answer: stored.record,
    expiresAtMs: stored.expiresAtMs,
    credits: held.run.credits,
    accepted: kind,
    ...{ questionKey, operation, askedDomain, askedAtMs },
  };
}

/**
 * Returns the state without the facts of an answer that HubSpot does not have yet. Writing the answer adds these facts
 * again.
 */
function asBefore(
  state: ClaimedRecord['state'],
  before: NonNullable<Finding['before']>,
): ClaimedRecord['state'] {
  const { answeredAtMs: _answered, employer: _employer, ...rest } = state;
  return { ...rest, ...before };
}
