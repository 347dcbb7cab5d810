import { recordKey } from '#shared/crm';
import { type AnswerFilter, dropAnswersAbout, readLinks } from '#shared/questions';
import {
  historyOf,
  isUnderWay,
  newRecordState,
  type RecordState,
  type Removal,
  recordKind,
} from '#shared/records';
import type { RecordClaim } from '../services.ts';
import type { RemovalServices } from './plan-removal.ts';

interface Obtained {
  readonly held: RecordClaim;
  readonly removal: Removal;
}

/** The person of a removal. */
interface RemovedPerson {
  readonly identifiers: readonly string[];
  /** Whether another record holds values of the person, or may. */
  readonly isElsewhere: boolean;
}

/**
 * Removes our stored data of a record's answers: the answers, the journal's values, and the findings.
 * The hashes stay by which a privacy deletion finds the person. Safe to repeat.
 */
export async function purgeObtained(
  services: RemovalServices,
  { held, removal }: Obtained,
): Promise<RemovedPerson> {
  const states = await withMerged(services, held.state);
  const others = await othersOf(services, states);
  const questions = await questionsOf(services, states);
  // What another record was answered with ends with that record. A recall spares nothing.
  if (removal.by === 'retention')
    for (const { answeredQuestion, run } of others.filter((state) => !isUnderWay(state)))
      for (const key of [answeredQuestion, run?.answeredQuestion]) if (key) questions.delete(key);
  const { obtained } = removal;
  const isDropped: AnswerFilter = ({ askedAtMs }) =>
    !obtained || (askedAtMs >= obtained.fromMs && askedAtMs <= obtained.toMs);
  const isOfCompany = held.objectType === 'companies';
  const gone = new Set(identifiersIn(states));
  for (const [question, { isOwn }] of questions)
    await dropAnswersAbout(services.forgetting, question, { gone, isOwn, isDropped, isOfCompany });
  const nowMs = services.clock.now();
  for (const state of states) {
    // The newest run of the record itself is this removal's own.
    const runs = state.id === held.id ? state.runsOpened - 1 : state.runsOpened;
    if (runs > 0) await services.journal.purge(state, { runs, nowMs, fromMs: obtained?.fromMs });
  }
  if (held.state.hasReview) await services.reviews.looked(held, []);
  return { identifiers: [...gone], isElsewhere: others.length > 0 };
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

/**
 * Questions whose answers may be about the record, by key. `isOwn`: it was asked for this record.
 * @param states its own first.
 */
async function questionsOf(
  services: RemovalServices,
  states: readonly RecordState[],
): Promise<Map<string, { readonly isOwn: boolean }>> {
  const [own] = states;
  const entries = own ? await historyOf(services, own) : [];
  const identifiers = identifiersIn(states);
  const linked = [...identifiers, ...(await linkedTo(services, 'questions', identifiers))];
  const asked = [
    ...entries.map(({ question }) => question?.key),
    ...states.flatMap(({ answeredQuestion, answeredCompany }) => [answeredQuestion, answeredCompany]),
  ];
  return new Map<string, { readonly isOwn: boolean }>([
    ...linked.map((key) => [key, { isOwn: false }] as const),
    ...asked.flatMap((key) => (key === undefined ? [] : [[key, { isOwn: true }] as const])),
  ]);
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

/** Other living records of the same person that hold values, or will when they are written. */
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
  return isLiving && hasAnswer;
}
