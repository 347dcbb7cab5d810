import { verdictOn } from '#shared/ownership';
import type { Finding } from '#shared/review';
import type { RecordAnswer } from '../ask/answered.ts';
import { ownQuestionAnsweredBy, ownQuestions } from '../ask/own-questions.ts';
import { ownershipOf } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { answerOfFinding } from './stored-answer.ts';

/** Why the answer of a finding is gone: it is too old or forgotten, or about another person by now. */
export type NoAcceptedAnswer = 'not-stored' | 'other-record' | 'rejected';

/** The stored answer of a finding, as if it had only just come. */
export async function acceptedAnswer(
  services: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock' | 'policy'>,
  held: ClaimedRecord,
  { kind, answer, before = {} }: Finding,
): Promise<RecordAnswer | NoAcceptedAnswer> {
  const stored = answer && (await answerOfFinding(services, answer, held.record));
  if (!stored) return 'not-stored';
  const { questionKey, operation, askedDomain, askedAtMs } = answer;
  if (verdictOn(held.state.verdicts, answer)?.rejected?.byPerson) return 'rejected';
  // What a search told of a company is found by the domain that it has now.
  const own = ownQuestions(services, { record: held.record, ownership: ownershipOf(services, held) });
  const told = { key: questionKey, operation, record: stored.record };
  if (operation !== 'companiesByDomain' && !ownQuestionAnsweredBy(services, own, told)) return 'other-record';
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

/** What was learned of an answer that HubSpot has not heard of is learned again as it is written. */
function asBefore(
  state: ClaimedRecord['state'],
  before: NonNullable<Finding['before']>,
): ClaimedRecord['state'] {
  const { answeredAtMs: _answered, employer: _employer, changeRate: _rate, ...rest } = state;
  return { ...rest, ...before };
}
