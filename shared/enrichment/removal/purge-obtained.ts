import { recordKey } from '#shared/crm';
import { type AnswerFilter, dropAnswersAbout, readLinks } from '#shared/questions';
import { historyOf, newRecordState, type RecordState, type Removal, recordKind } from '#shared/records';
import type { RecordClaim } from '../services.ts';
import type { RemovalServices } from './plan-removal.ts';

interface Obtained {
  readonly held: RecordClaim;
  readonly removal: Removal;
}

/**
 * Removes what our own stores hold of a record's answers: the answers, the journal's values, and what is up for review.
 * The hashes stay by which a privacy deletion finds the person. Safe to repeat.
 */
export async function purgeObtained(services: RemovalServices, { held, removal }: Obtained): Promise<void> {
  const states = await withMerged(services, held.state);
  const questions = await questionsOf(services, { states, removal });
  const { obtained } = removal;
  const isDropped: AnswerFilter = ({ askedAtMs }) =>
    !obtained || (askedAtMs >= obtained.fromMs && askedAtMs <= obtained.toMs);
  const isOfCompany = held.objectType === 'companies';
  const gone = new Set(states.flatMap(({ identifiers = [] }) => identifiers));
  for (const question of questions)
    await dropAnswersAbout(services.forgetting, question, { gone, isDropped, isOfCompany });
  const nowMs = services.clock.now();
  for (const state of states) {
    // The newest run of the record itself is this removal's own.
    const runs = state.id === held.id ? state.runsOpened - 1 : state.runsOpened;
    if (runs > 0) await services.journal.purge(state, { runs, nowMs });
  }
  if (held.state.hasReview) await services.reviews.looked(held, []);
}

/** The record, and all that were merged into it. */
async function withMerged(services: RemovalServices, state: RecordState): Promise<readonly RecordState[]> {
  const { objectType } = state;
  const states = new Map([[state.id, state]]);
  for (const { mergedFrom = [] } of states.values())
    for (const id of mergedFrom) {
      const known = states.get(id) ?? (await services.records.read(recordKind.key({ objectType, id })))?.value;
      states.set(id, known ?? newRecordState(objectType, id));
    }
  return [...states.values()];
}

/** Keys of the questions whose answers tell of the record. */
async function questionsOf(
  services: RemovalServices,
  { states, removal }: { readonly states: readonly RecordState[]; readonly removal: Removal },
): Promise<ReadonlySet<string>> {
  const identifiers = states.flatMap(({ identifiers = [] }) => identifiers);
  const linked = await Promise.all(
    identifiers.map((key) => readLinks(services.forgetting, 'questions', key)),
  );
  const [own] = states;
  const entries = own ? await historyOf(services, own) : [];
  const answered = states.flatMap(({ answeredQuestion, answeredCompany, run }) => [
    answeredQuestion,
    answeredCompany,
    run?.answeredQuestion,
  ]);
  const keys = [...identifiers, ...linked.flat(), ...answered, ...entries.map(({ question }) => question?.key)];
  const found = new Set(keys.filter((key) => key !== undefined));
  // What another record was answered with ends with that record. A recall spares nothing.
  if (removal.by === 'retention') {
    const own = new Set(states.map(recordKey));
    for (const other of await othersOf(services, { identifiers, own }))
      for (const key of [other.answeredQuestion, other.run?.answeredQuestion]) if (key) found.delete(key);
  }
  return found;
}

/** Other living records of the same person whose values stay. */
async function othersOf(
  services: RemovalServices,
  { identifiers, own }: { readonly identifiers: readonly string[]; readonly own: ReadonlySet<string> },
): Promise<readonly RecordState[]> {
  const linked = await Promise.all(identifiers.map((key) => readLinks(services.forgetting, 'records', key)));
  const others: RecordState[] = [];
  for (const key of new Set(linked.flat())) {
    const [objectType, id] = key.split('#');
    if (own.has(key) || objectType !== 'contacts' || id === undefined) continue;
    const state = (await services.records.read(recordKind.key({ objectType, id })))?.value;
    if (state && !state.removal && state.mergedInto === undefined && state.forgottenAtMs === undefined)
      others.push(state);
  }
  return others;
}
