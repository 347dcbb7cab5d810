import { forgetPerson } from '../privacy/forget-person.ts';
import { allKeys, type IdentifierKeys } from '../privacy/identifiers.ts';
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
  const known = await deps.forgetting.tombstones.among(keys.sure);
  return known.length > 0 ? 'forgotten' : keep(deps, held, keys);
}

/** The same for what an answer adds to it. */
export async function keepAnswered(
  deps: Deps,
  held: HeldRecord,
  { question, record }: { question: Question; record: Readonly<Record<string, unknown>> },
): Promise<'kept' | 'forgotten'> {
  if (held.objectType !== 'contacts') return 'kept';
  return keep(deps, held, identifiersOfAnswer({ operation: question.operation, record }, deps.digest));
}

/** Where the person was forgotten while this worker was at it, what it learned since is forgotten too. */
async function keep(
  { records, forgetting }: Deps,
  held: HeldRecord,
  keys: IdentifierKeys,
): Promise<'kept' | 'forgotten'> {
  const kept = await keepIdentifiers({ records, sideItems: forgetting.sideItems }, held, keys);
  if (kept === 'forgotten') await forgetPerson(forgetting, allKeys(keys));
  return kept;
}
