import { keepIdentifiers } from '../privacy/keep-identifiers.ts';
import { identifiersOfAnswer } from '../privacy/people-in-answer.ts';
import { identifiersOfRecord } from '../privacy/record-identifiers.ts';
import type { Question } from '../questions/question.ts';
import type { EnrichmentDeps, HeldRecord } from './deps.ts';

type Deps = Pick<EnrichmentDeps, 'records' | 'forgetting' | 'digest'>;

/**
 * Keeps, as keyed hashes, who the record is about: a privacy deletion brings nothing but the record's id.
 * @returns `forgotten` when this very person asked to be left alone, under whatever record it was then.
 */
export async function keepPerson(deps: Deps, held: HeldRecord): Promise<'kept' | 'forgotten'> {
  const keys = identifiersOfRecord(held.record, deps.digest, held.associatedDomain);
  const { tombstones, sideItems } = deps.forgetting;
  if ((await tombstones.among(keys.sure)).length > 0) return 'forgotten';
  await keepIdentifiers({ records: deps.records, sideItems }, held, keys);
  return 'kept';
}

/** The same for what an answer adds to it. */
export async function keepAnswered(
  { records, forgetting, digest }: Deps,
  held: HeldRecord,
  { question, record }: { question: Question; record: Readonly<Record<string, unknown>> },
): Promise<void> {
  const keys = identifiersOfAnswer({ operation: question.operation, record }, digest);
  if (held.objectType === 'contacts')
    await keepIdentifiers({ records, sideItems: forgetting.sideItems }, held, keys);
}
