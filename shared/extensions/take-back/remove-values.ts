import { isAboutPerson, nameOfKey, type ObjectType, recordKey } from '#shared/crm';
import {
  type EnrichmentServices,
  isStatus,
  type RecordClaim,
  removalReason,
  settleRecord,
} from '#shared/enrichment';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import {
  type AnswerFilter,
  answersOf,
  type Disclosure,
  dropAnswersAbout,
  questionKind,
  questionsAbout,
  readLinks,
} from '#shared/questions';
import {
  because,
  beginRemoval,
  explanationText,
  historyOf,
  isUnderWay,
  newRecordState,
  type OutcomeKind,
  type RecordState,
  type Removal,
  type Removed,
  recordKind,
  takesNewestAnswer,
  withNotes,
} from '#shared/records';
import {
  journalEntryOf,
  type PlannedFor,
  type TakeBackServices,
  type TakenBack,
  type TakingBack,
  takeBack,
  type Wanted,
} from '#shared/take-back';
import { planRemovals, type RemovalPlan } from './plan-removal.ts';

export type RemovalServices = TakeBackServices &
  Pick<EnrichmentServices, 'reviews' | 'forgetting' | 'logger'>;

export type RemovalResult =
  /** No value of ours is left. `removed`: names of the properties that were emptied. */
  | { readonly kind: 'done'; readonly id: string; readonly removed: readonly string[] }
  /** HubSpot refused to empty some properties, or does not have the record now. The removal is retried. */
  | {
      readonly kind: 'open';
      readonly id: string;
      readonly removed: readonly string[];
      readonly reason: string;
    }
  /** A worker has the record, or a paid answer waits to be written to it. The removal is retried. */
  | { readonly kind: 'busy'; readonly id: string }
  | { readonly kind: 'forgotten'; readonly id: string };

/**
 * Removes our values of these records permanently: from HubSpot, the stored answers, and the journal. People's values
 * stay. It can be interrupted and repeated. From the first step on, nothing is bought for the record.
 * @param wanted different records of one object type. HubSpot must be able to read their history in one request.
 * @returns the results in the order of the records.
 */
export async function removeValues(
  services: RemovalServices,
  objectType: ObjectType,
  wanted: readonly Wanted<Removal>[],
): Promise<readonly RemovalResult[]> {
  const results = await takeBack(services, REMOVING, { objectType, wanted });
  return wanted.map(({ state: { id } }, at) => {
    const result = results[at] ?? 'busy';
    return typeof result === 'string' ? { kind: result, id } : result;
  });
}

/** Empties the values that are still ours. It ignores the policy's field rules, and stores no values in the journal. */
const REMOVING: TakingBack<RemovalServices, Removal, RemovalPlan, RemovalResult> = {
  claimMs: 3 * MINUTE_MS,
  settleMs: 20 * SECOND_MS,
  holding: (removal) => ({
    // The state says so before anything changes.
    also: (known) => beginRemoval(known, removal),
    // The answer of an open run may have been obtained in the recalled period.
    givesUp:
      removal.by === 'recall'
        ? ({ openedAtMs }) => !removal.obtained || openedAtMs <= removal.obtained.toMs
        : undefined,
  }),
  plan: planRemovals,
  theirs: choicesIn,
  statuses: statusesAfter,
  // Its values stay until the write is confirmed. If the result of the write is unknown, they show whether it arrived.
  entry: ({ draft: { wish } }) => ({ kind: 'removal', outcome: 'skipped', reason: removalReason(wish) }),
  finish,
};

/** The choices that remain count as restored to the people who made them. */
function choicesIn(values: RemovalPlan['values']): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, rest]) => rest !== ''));
}

async function finish(
  services: RemovalServices,
  { draft, planned, failure, definitions }: TakenBack<Removal, RemovalPlan>,
): Promise<RemovalResult> {
  const { held, wish: removal } = draft;
  const { id } = held;
  const unfinished = failure ?? (planned && unfinishedReason(planned.plan));
  if (unfinished === 'not-allowed') return { kind: 'busy', id };
  // Earlier attempts may have emptied some properties.
  const journalled = await services.journal.read(held, held.state.runsOpened);
  const { values = {}, left = [] } = planned?.plan ?? {};
  const changes = (journalled?.changes ?? []).filter(({ state, after, undone, property }) => {
    const isEmptied = (after === '' && !undone) || Object.hasOwn(values, property);
    return state === 'written' && isEmptied && !isStatus(property);
  });
  const removed = changes.map(({ property }) => property);
  const isFinished = unfinished === undefined;
  const isEmpty = isWhole(held.state, { removal, left });
  let endDisclosures = () => Promise.resolve();
  if (planned) {
    const { identifiers, records } = await purgeObtained(services, { held, removal });
    await services.journal.replace({
      ...journalEntryOf(services, REMOVING, { planned, definitions }),
      changes,
    });
    if (isFinished && isEmpty)
      endDisclosures = () =>
        services.forgetting.disclosures.end(identifiers, (item) => isStillHeld(services, item, records));
    await endDisclosures();
  }
  const outcome: OutcomeKind = !isFinished ? 'failed' : isEmpty ? 'skipped' : 'unchanged';
  const isSettled = await settleRecord(services, held, {
    kind: 'outcome',
    outcome,
    credits: held.run.credits,
    reason: isFinished
      ? removalReason(removal)
      : withNotes(removalReason(removal), [because('values-remain', { why: unfinished })]),
    learned: {
      ownership: { released: removed },
      ...(isFinished && { removed: { removal, left } }),
      // If a later answer stays, a stale record stays stale.
      ...(!takesNewestAnswer(held.state, removal) &&
        held.state.staleAtMs !== undefined && { staleAtMs: held.state.staleAtMs }),
    },
  });
  if (!isSettled) return { kind: 'busy', id };
  // Another removal of the same person may have seen this record as held, and this one that record.
  await endDisclosures();
  if (isFinished) return { kind: 'done', id, removed };
  services.logger.warn('values-not-removed', { recordId: recordKey(held) });
  return { kind: 'open', id, removed, reason: unfinished };
}

/** Returns the reason why values of ours remain. */
function unfinishedReason({ current, kept: [first] }: RemovalPlan): string | undefined {
  // A person can restore the record from HubSpot's archive, with its values.
  if (!current && !first) return 'HubSpot does not have the record now';
  return first && `${first.property} ${first.reason}`.trim();
}

/** Returns the statuses after a removal: the reason, and no next check of removed values. */
function statusesAfter({
  draft: { held, wish: removal },
  plan: { values, left, current },
}: PlannedFor<Removal, RemovalPlan>): Record<string, string> {
  const takesNewest = takesNewestAnswer(held.state, removal);
  // A recall that neither removes a value nor the newest answer changes no status.
  if (!current || (Object.keys(values).length === 0 && !takesNewest)) return {};
  return {
    enrichment_reason: explanationText(removalReason(removal)),
    // A later answer that stays keeps its next check.
    ...(takesNewest && { enrichment_next_check_at: '' }),
    ...(isWhole(held.state, { removal, left }) && EMPTY_STATUSES),
  };
}

/** Statuses of a record without our values. A later answer sets them again. */
const EMPTY_STATUSES = {
  enrichment_status: 'skipped',
  enrichment_last_at: '',
  enrichment_source: '',
  enrichment_first_at: '',
  enrichment_notice_due: '',
};

/** Whether the record holds no value of ours after the removal. */
function isWhole(state: RecordState, { removal, left }: Removed): boolean {
  return takesNewestAnswer(state, removal) && left.length === 0;
}

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
async function purgeObtained(services: RemovalServices, { held, removal }: Obtained): Promise<RemovedPerson> {
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
async function isStillHeld(
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
  const linked = await Promise.all(identifiers.map((key) => questionsAbout(services.forgetting, key)));
  const asked = [
    ...entries.map(({ question }) => question?.key),
    ...states.map(({ answeredQuestion }) => answeredQuestion),
  ];
  return new Map<string, { readonly isOwn: boolean }>([
    ...linked.flat().map((key) => [key, { isOwn: false }] as const),
    ...asked.flatMap((key) => (key === undefined ? [] : [[key, { isOwn: true }] as const])),
  ]);
}

function identifiersIn(states: readonly RecordState[]): readonly string[] {
  return [...new Set(states.flatMap(({ identifiers = [] }) => identifiers))];
}

async function recordsLinkedTo(
  { forgetting }: RemovalServices,
  identifiers: readonly string[],
): Promise<Set<string>> {
  const linked = await Promise.all(identifiers.map((key) => readLinks(forgetting, 'records', key)));
  return new Set(linked.flat());
}

/** Returns other living records of the same person that hold values, or wait for a write of values. */
async function othersOf(
  services: RemovalServices,
  states: readonly RecordState[],
): Promise<readonly RecordState[]> {
  const linked = await recordsLinkedTo(services, identifiersIn(states));
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
