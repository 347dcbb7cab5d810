import type { Finding } from '#shared/review/schemas.ts';
import type { Answered } from '../ask/answered.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { storedAnswer } from './stored-answer.ts';

/** The stored answer of a finding, as if it had only just come. @returns nothing where it is not stored any more. */
export async function acceptedAnswer(
  services: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'>,
  held: HeldRecord,
  { kind, answer, before = {} }: Finding,
): Promise<Answered | undefined> {
  const stored = answer && (await storedAnswer(services, answer, held.record));
  if (!stored) return undefined;
  const { questionKey, operation, askedDomain, askedAtMs } = answer;
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
function asBefore(state: HeldRecord['state'], before: NonNullable<Finding['before']>): HeldRecord['state'] {
  const { answeredAtMs: _answered, employer: _employer, changeRate: _rate, ...rest } = state;
  return { ...rest, ...before };
}
