import type { CrmRecord } from '#shared/crm';
import { asProfile } from '#shared/field-policy';
import { ownDomainOf } from '#shared/identity';
import { answersOf, companyKey, questionKind, unpackAnswer } from '#shared/questions';
import type { Finding } from '#shared/review';
import type { EnrichmentServices } from '../services.ts';

export interface FoundAnswer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly expiresAtMs: number;
}

/** The answer that a finding is about, as it is stored. @returns nothing where it is too old, or was forgotten. */
export async function answerOfFinding(
  { forgetting, digest, clock }: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'>,
  { questionKey, operation, askedAtMs }: NonNullable<Finding['answer']>,
  record: CrmRecord,
): Promise<FoundAnswer | undefined> {
  // What a search told of a company stands with the company's own question.
  const domain = operation === 'companiesByDomain' ? ownDomainOf(record) : undefined;
  if (operation === 'companiesByDomain' && domain === undefined) return undefined;
  const key = domain === undefined ? questionKey : companyKey(domain, digest);
  const stored = answersOf((await forgetting.items.read(questionKind.key(key)))?.value).find(
    (answer) => answer.kind === 'found' && answer.askedAtMs === askedAtMs,
  );
  if (!stored || stored.expiresAtMs <= clock.now()) return undefined;
  const unpacked = await unpackAnswer(forgetting, stored);
  if (!unpacked) return undefined;
  const told = domain === undefined ? unpacked : asProfile(unpacked, domain);
  return { record: told, expiresAtMs: stored.expiresAtMs };
}
