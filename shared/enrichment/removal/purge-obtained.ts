import { recordKey } from '#shared/crm';
import { type AnswerFilter, dropAnswersAbout, readLinks } from '#shared/questions';
import { historyOf, newRecordState, type RecordState, type Removal, recordKind } from '#shared/records';
import type { RecordClaim } from '../services.ts';
import { isUnderWay, type RemovalServices } from './plan-removal.ts';

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
  const others = await othersOf(services, states);
  const questions = await questionsOf(services, states);
  // What another record was answered with ends with that record. A recall spares nothing.
  if (removal.by === 'retention')
    for (const { answeredQuestion, run } of others)
      for (const key of [answeredQuestion, run?.answeredQuestion]) if (key) questions.delete(key);
  const { obtained } = removal;
  const isDropped: AnswerFilter = ({ askedAtMs }) =>
    !obtained || (askedAtMs >= obtained.fromMs && askedAtMs <= obtained.toMs);
  const isOfCompany = held.objectType === 'companies';
  const gone = new Set(identifiersIn(states));
  for (const question of questions)
    await dropAnswersAbout(services.forgetting, question, { gone, isDropped, isOfCompany });
  const nowMs = services.clock.now();
  for (const state of states) {
    // The newest run of the record itself is this removal's own.
    const runs = state.id === held.id ? state.runsOpened - 1 : state.runsOpened;
    if (runs > 0) await services.journal.purge(state, { runs, nowMs });
  }
  if (held.state.hasReview) await services.reviews.looked(held, []);
  if (others.length === 0 && isUnderWay(held.state))
    await services.forgetting.disclosures.end(identifiersIn(states));
}

/** The record, and all that were merged into it. */
async function withMerged(services: RemovalServices, state: RecordState): Promise<readonly RecordState[]> {
  const { objectType } = state;
  const states = new Map([[state.id, state]]);
  for (const { mergedFrom = [] } of states.values())
    for (const id of mergedFrom) {
      const known =
        states.get(id) ?? (await services.records.read(recordKind.key({ objectType, id })))?.value;
      states.set(id, known ?? newRecordState(objectType, id));
    }
  return [...states.values()];
}

/** Keys of the questions whose answers tell of the record. @param states its own first. */
async function questionsOf(services: RemovalServices, states: readonly RecordState[]): Promise<Set<string>> {
  const [own] = states;
  const entries = own ? await historyOf(services, own) : [];
  const identifiers = identifiersIn(states);
  const keys = [
    ...identifiers,
    ...(await linkedTo(services, 'questions', identifiers)),
    ...entries.map(({ question }) => question?.key),
    ...states.flatMap(({ answeredQuestion, answeredCompany }) => [answeredQuestion, answeredCompany]),
  ];
  return new Set(keys.filter((key) => key !== undefined));
}

function identifiersIn(states: readonly RecordState[]): readonly string[] {
  return [...new Set(states.flatMap(({ identifiers = [] }) => identifiers))];
}

async function linkedTo(
  { forgetting }: RemovalServices,
  kind: 'questions' | 'records',
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const linked = await Promise.all(identifiers.map((key) => readLinks(forgetting, kind, key)));
  return new Set(linked.flat());
}

/** Other living records of the same person whose values stay. */
async function othersOf(
  services: RemovalServices,
  states: readonly RecordState[],
): Promise<readonly RecordState[]> {
  const own = new Set(states.map(recordKey));
  const others: RecordState[] = [];
  for (const key of await linkedTo(services, 'records', identifiersIn(states))) {
    const [objectType, id] = key.split('#');
    if (own.has(key) || objectType !== 'contacts' || id === undefined) continue;
    const state = (await services.records.read(recordKind.key({ objectType, id })))?.value;
    if (state && isHeld(state)) others.push(state);
  }
  return others;
}

function isHeld(state: RecordState): boolean {
  const { mergedInto, forgottenAtMs, obtainedAtMs, run } = state;
  const isLiving = mergedInto === undefined && forgottenAtMs === undefined;
  // A first answer that waits to be written is held too: it has been paid for.
  const hasAnswer = obtainedAtMs !== undefined || run?.answeredQuestion !== undefined;
  return isLiving && !isUnderWay(state) && hasAnswer;
}
