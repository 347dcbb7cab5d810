import { isAboutPerson, nameOfKey, recordKey } from '#shared/crm';
import {
  type AnswerFilter,
  answersOf,
  type Disclosure,
  dropAnswersAbout,
  questionKind,
  readLinks,
} from '#shared/questions';
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
  /** Keys of the record and of the records that were merged into it. */
  readonly records: ReadonlySet<string>;
}

/**
 * Removes our stored data of a record's answers: the answers, the journal's values, and the findings. Keeps the hashes
 * by which a privacy deletion finds the person. It can be repeated.
 */
export async function purgeObtained(
  services: RemovalServices,
  { held, removal }: Obtained,
): Promise<RemovedPerson> {
  const states = await withMerged(services, held.state);
  const others = await othersOf(services, states);
  const questions = await questionsOf(services, states);
  // An answer that also serves another record expires with that record. This exception does not apply to a recall.
  if (removal.by === 'retention')
    for (const { answeredQuestion, run } of others.filter((state) => !isUnderWay(state)))
      for (const key of [answeredQuestion, run?.answeredQuestion]) if (key) questions.delete(key);
  const { obtained } = removal;
  const isDropped: AnswerFilter = ({ askedAtMs }) =>
    !obtained || (askedAtMs >= obtained.fromMs && askedAtMs <= obtained.toMs);
  const isOfCompany = !isAboutPerson(held);
  const removedIdentifiers = new Set(identifiersIn(states));
  for (const [question, { isOwn }] of questions)
    await dropAnswersAbout(services.forgetting, question, {
      gone: removedIdentifiers,
      isOwn,
      isDropped,
      isOfCompany,
    });
  const nowMs = services.clock.now();
  for (const state of states) {
    // The record's newest run is this removal.
    const runs = state.id === held.id ? state.runsOpened - 1 : state.runsOpened;
    if (runs > 0) await services.journal.purge(state, { runs, nowMs, fromMs: obtained?.fromMs });
  }
  if (held.state.hasReview) await services.reviews.looked(held, []);
  return { identifiers: [...removedIdentifiers], records: new Set(states.map(recordKey)) };
}

/**
 * Whether values of a disclosure record remain in another HubSpot record, or in a stored answer. After a wrong match,
 * the question or the delivery may belong to another person.
 */
export async function isStillHeld(
  services: RemovalServices,
  { records, requests, earlierRecords }: Disclosure,
  removed: ReadonlySet<string>,
): Promise<boolean> {
  // Records that are no longer listed cannot be checked.
  if (earlierRecords !== undefined) return true;
  const otherRecords = new Set([...records, ...requests].flatMap(({ record }) => record ?? [])).difference(
    removed,
  );
  // Nor can records of other portals.
  if ([...otherRecords].some((key) => nameOfKey(key) === undefined)) return true;
  if ((await heldContacts(services, otherRecords)).length > 0) return true;
  for (const { question, atMs } of requests) {
    const item = (await services.forgetting.items.read(questionKind.key(question)))?.value;
    if (answersOf(item).some(({ kind, askedAtMs }) => kind === 'found' && askedAtMs === atMs)) return true;
  }
  return false;
}

/** Returns the states of the record and of all records that were merged into it. */
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
 * Returns the questions whose answers may be about the record, by key. `isOwn` means that the question was asked for
 * this record.
 * @param states the record's own state first.
 */
async function questionsOf(
  services: RemovalServices,
  states: readonly RecordState[],
): Promise<Map<string, { readonly isOwn: boolean }>> {
  const [ownState] = states;
  const entries = ownState ? await historyOf(services, ownState) : [];
  const identifiers = identifiersIn(states);
  const linked = [...identifiers, ...(await linkedTo(services, 'questions', identifiers))];
  const asked = [
    ...entries.map(({ question }) => question?.key),
    ...states.map(({ answeredQuestion }) => answeredQuestion),
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
): Promise<Set<string>> {
  const linked = await Promise.all(identifiers.map((key) => readLinks(forgetting, kind, key)));
  return new Set(linked.flat());
}

/** Returns other living records of the same person that hold values, or wait for a write of values. */
async function othersOf(
  services: RemovalServices,
  states: readonly RecordState[],
): Promise<readonly RecordState[]> {
  const linked = await linkedTo(services, 'records', identifiersIn(states));
  return heldContacts(services, linked.difference(new Set(states.map(recordKey))));
}

/** Returns the living contacts with values among these record keys. */
async function heldContacts(
  services: RemovalServices,
  keys: ReadonlySet<string>,
): Promise<readonly RecordState[]> {
  const held: RecordState[] = [];
  for (const key of keys) {
    const name = nameOfKey(key);
    if (name === undefined || !isAboutPerson(name)) continue;
    const state = (await services.records.read(recordKind.key(name)))?.value;
    if (state && isHeld(state)) held.push(state);
  }
  return held;
}

function isHeld(state: RecordState): boolean {
  const { mergedInto, forgottenAtMs, obtainedAtMs, run } = state;
  const isLiving = mergedInto === undefined && forgottenAtMs === undefined;
  // A first answer that waits to be written also counts, because it is paid for.
  const hasAnswer = obtainedAtMs !== undefined || run?.answeredQuestion !== undefined;
  return isLiving && hasAnswer;
}
