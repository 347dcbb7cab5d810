import type { Clock } from '../kernel/clock.ts';
import type { Digest } from '../kernel/digest.ts';
import type { QuestionItem, StoredAnswer } from '../questions/item.ts';
import {
  blankParts,
  blankPartsOf,
  type PackedDeps,
  packAnswer,
  unpackAnswer,
} from '../questions/packed-answers.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import { allKeys, type IdentifierKeys } from './identifiers.ts';
import { isAboutOne, peopleIn, withoutPeople } from './people-in-answer.ts';

export interface StoredPeopleDeps extends PackedDeps {
  readonly items: VersionedItems<QuestionItem>;
  readonly digest: Digest;
  readonly clock: Clock;
}

export interface Purged {
  /** Answers about one person that are gone. */
  readonly answers: number;
  /** Entries taken out of lists. */
  readonly entries: number;
}

const NOTHING: Purged = { answers: 0, entries: 0 };

/** Everybody whom a question's stored answers tell of. */
export async function peopleStored(deps: StoredPeopleDeps, questionKey: string): Promise<IdentifierKeys[]> {
  const item = (await deps.items.read(questionKey))?.value;
  if (!item) return [];
  const records = await Promise.all(answersOf(item).map((answer) => foundRecord(deps, answer)));
  const { operation } = item;
  return records.flatMap((record) => (record ? peopleIn({ operation, record }, deps.digest) : []));
}

/**
 * Removes people from what is stored of one question: an answer about one of them goes, of a list only their
 * entries do, because the rest was paid for. Fence and asking stay, since the books are finished from them. Where
 * an answer was stays a mark without contents, so that the question is not paid for only to be thrown away again.
 * @param gone keys of all identifiers of these people.
 */
export async function purgeQuestion(
  deps: StoredPeopleDeps,
  questionKey: string,
  gone: ReadonlySet<string>,
): Promise<Purged> {
  for (;;) {
    const stored = await deps.items.read(questionKey);
    if (!stored) return NOTHING;
    const { value, version } = stored;
    await blankAbandoned(deps, value);
    const purge = { item: value, gone, partsId: `${questionKey}@${version}` };
    const changes = await Promise.all(
      answersOf(value).map((answer, nth) => purged(deps, purge, answer, nth)),
    );
    if (changes.every(({ before, after }) => before === after)) return NOTHING;
    const [answer, ...older] = changes.map(({ after }) => after);
    const changed = { ...value, answer, olderAnswers: older.length > 0 ? older : undefined };
    const written = await deps.items.write({ key: questionKey, value: changed, expectedVersion: version });
    if (written === 'conflict') continue;
    for (const { before, after } of changes) if (before !== after) await blankParts(deps, before);
    return {
      answers: changes.filter(({ before, after }) => before.kind !== after.kind).length,
      entries: changes.reduce((sum, { entries }) => sum + entries, 0),
    };
  }
}

/** What is left of an answer about somebody who is forgotten. */
export function withheld({
  options,
  askedAtMs,
  expiresAtMs,
  credits,
}: Omit<StoredAnswer, 'kind'>): StoredAnswer {
  return { kind: 'forgotten', options, askedAtMs, expiresAtMs, credits, misses: 0 };
}

/** An asker that died before its verdict may have left the parts of an answer, and nothing tells what is in them. */
async function blankAbandoned(deps: StoredPeopleDeps, item: QuestionItem): Promise<void> {
  const { asking } = item;
  if (!asking?.deadlineAtMs || deps.clock.now() < asking.deadlineAtMs) return;
  const isStored = answersOf(item).some(({ askedAtMs }) => askedAtMs === asking.sentAtMs);
  if (!isStored) await blankPartsOf(deps, asking.reservationId);
}

interface Purge {
  readonly item: QuestionItem;
  readonly gone: ReadonlySet<string>;
  readonly partsId: string;
}

interface Change {
  readonly before: StoredAnswer;
  readonly after: StoredAnswer;
  readonly entries: number;
}

async function purged(
  deps: StoredPeopleDeps,
  { item, gone, partsId }: Purge,
  before: StoredAnswer,
  nth: number,
): Promise<Change> {
  if (before.kind !== 'found') return { before, after: before, entries: 0 };
  const { operation, key } = item;
  const record = await foundRecord(deps, before);
  // Somebody else's purge has come half-way, or a part was lost: nobody can use the rest.
  if (!record) return { before, after: withheld(before), entries: 0 };
  const isGone = peopleIn({ operation, record }, deps.digest).map((person) =>
    allKeys(person).some((identifier) => gone.has(identifier)),
  );
  if (isAboutOne(operation)) {
    const isHit = gone.has(key) || isGone.includes(true);
    return { before, after: isHit ? withheld(before) : before, entries: 0 };
  }
  const entries = isGone.filter(Boolean).length;
  if (entries === 0) return { before, after: before, entries };
  const rest = withoutPeople({ operation, record }, (index) => isGone[index] === true);
  const { expiresAtMs } = before;
  const packed = await packAnswer(deps, { id: `${partsId}.${nth}`, operation, record: rest, expiresAtMs });
  const { packed: _packed, parts: _parts, ...kept } = before;
  return { before, after: { ...kept, ...packed }, entries };
}

async function foundRecord(deps: PackedDeps, answer: StoredAnswer) {
  return answer.kind === 'found' ? unpackAnswer(deps, answer) : undefined;
}

function answersOf({ answer, olderAnswers = [] }: QuestionItem): StoredAnswer[] {
  return answer ? [answer, ...olderAnswers] : [];
}
