import { forgetPerson } from '#shared/privacy/forget-person.ts';
import { identifiersOfRecord, keepIdentifiers } from '#shared/privacy/keep-identifiers.ts';
import { allKeys, type IdentifierKeys } from '#shared/questions/people/identifiers.ts';
import { identifiersOfAnswer } from '#shared/questions/people/people-in-answer.ts';
import type { Question } from '#shared/questions/question.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';

type Services = Pick<EnrichmentServices, 'records' | 'forgetting' | 'digest'>;

/**
 * Keeps, as keyed hashes, who the record is about: a privacy deletion brings nothing but the record's id.
 * @returns `forgotten` when this very person asked to be left alone, under whatever record it was then.
 */
export async function keepPerson(services: Services, held: HeldRecord): Promise<'kept' | 'forgotten'> {
  const keys = identifiersOfRecord(held.record, services.digest);
  const known = await services.forgetting.suppressionList.among(keys.sure);
  return known.length > 0 ? 'forgotten' : keep(services, held, keys);
}

/** The same for what an answer adds to it. */
export async function keepAnswered(
  services: Services,
  held: HeldRecord,
  { question, record }: { question: Question; record: Readonly<Record<string, unknown>> },
): Promise<'kept' | 'forgotten'> {
  if (held.objectType !== 'contacts') return 'kept';
  return keep(
    services,
    held,
    identifiersOfAnswer({ operation: question.operation, record }, services.digest),
  );
}

/** Where the person was forgotten while this worker was at it, what it learned since is forgotten too. */
async function keep(
  { records, forgetting }: Services,
  held: HeldRecord,
  keys: IdentifierKeys,
): Promise<'kept' | 'forgotten'> {
  const kept = await keepIdentifiers({ ...forgetting, records }, held, keys);
  if (kept === 'forgotten') await forgetPerson(forgetting, allKeys(keys));
  return kept;
}
