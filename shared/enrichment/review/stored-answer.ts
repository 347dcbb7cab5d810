import type { CrmRecord } from '#shared/crm';
import { asProfile } from '#shared/field-policy';
import { ownDomainOf } from '#shared/identity';
import { answersOf, companyKey, questionKind, storedRecord } from '#shared/questions';
import type { Finding } from '#shared/review';
import type { EnrichmentServices } from '../services.ts';

export interface FoundAnswer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly expiresAtMs: number;
}

/** Returns the stored answer of a finding; `undefined` if it is too old or was deleted. */
export async function answerOfFinding(
  { forgetting, digest, clock }: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'>,
  { questionKey, operation, askedAtMs }: NonNullable<Finding['answer']>,
  record: CrmRecord,
): Promise<FoundAnswer | undefined> {
  // The result of a search for a company is stored with the company's own question.
  const domain = operation === 'companiesByDomain' ? ownDomainOf(record) : undefined;
  if (operation === 'companiesByDomain' && domain === undefined) return undefined;
  const key = domain === undefined ? questionKey : companyKey(domain, digest);
  const item = (await forgetting.items.read(questionKind.key(key)))?.value;
  const stored = answersOf(item).find((answer) => answer.kind === 'found' && answer.askedAtMs === askedAtMs);
  if (!item || !stored || stored.expiresAtMs <= clock.now()) return undefined;
  const left = await storedRecord(forgetting, item, stored);
  if (!left) return undefined;
  return { record: domain === undefined ? left : asProfile(left, domain), expiresAtMs: stored.expiresAtMs };
}
