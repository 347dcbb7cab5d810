import type { Clock, Digest, Packing } from '#shared/kernel';
import { change, type Owners, type VersionedItems } from '#shared/store';
import { packAnswer, unpackAnswer } from '../packed-answers.ts';
import type { QuestionOperation } from '../question.ts';
import type { QuestionItem, SideItem, StoredAnswer } from '../schemas.ts';
import { answersOf, foundAnswer, linkExpiry, withheld } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { withAnswers } from '../transitions.ts';
import { allKeys, type IdentifierKeys, NO_IDENTIFIERS } from './identifiers.ts';
import { entriesOf, isAboutOne, peopleIn, withoutPeople } from './people-in-answer.ts';

export interface StoredPeopleServices {
  readonly items: VersionedItems<QuestionItem>;
  readonly sideItems: VersionedItems<SideItem>;
  readonly owners: Owners;
  readonly packing: Packing;
  readonly digest: Digest;
  readonly clock: Clock;
}

export interface Purged {
  /** Removed answers about one person. */
  readonly answers: number;
  /** Entries removed from lists. */
  readonly entries: number;
}

/** Keyed hashes of all people in a question's stored answers. */
export async function peopleStored(
  services: StoredPeopleServices,
  questionKey: string,
): Promise<IdentifierKeys[]> {
  return (await storedEntries(services, questionKey)).map(({ keys }) => keys);
}

/** One person's data in a stored answer. */
export interface StoredEntry {
  readonly question: string;
  readonly operation: QuestionOperation;
  readonly askedAtMs: number;
  /** When the answer expires. */
  readonly untilMs: number;
  /** The whole answer is about this person. */
  readonly isWhole: boolean;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly keys: IdentifierKeys;
}

/** Reads the people in a question's stored answers, one entry for each. */
export async function storedEntries(
  services: Pick<StoredPeopleServices, 'digest' | 'packing'> & {
    readonly items: Pick<StoredPeopleServices['items'], 'read'>;
  },
  questionKey: string,
): Promise<StoredEntry[]> {
  const item = (await services.items.read(questionKind.key(questionKey)))?.value;
  if (!item) return [];
  const { operation } = item;
  const ofAnswer = (answer: StoredAnswer): StoredEntry[] => {
    const record = foundRecord(services, answer);
    if (!record) return [];
    const people = peopleIn({ operation, record }, services.digest);
    const { askedAtMs, expiresAtMs } = answer;
    const about = { question: questionKey, operation, askedAtMs, untilMs: linkExpiry(expiresAtMs) };
    return entriesOf({ operation, record }).map((entry, index) => ({
      ...{ ...about, isWhole: isAboutOne(operation), entry, keys: people[index] ?? NO_IDENTIFIERS },
    }));
  };
  return answersOf(item).flatMap(ofAnswer);
}

/**
 * Removes people from a question's stored answers. An answer about one of them is removed. From a list, only their
 * entries are removed, because the rest was paid for. The item's attempt stays, because the ledger may still need it.
 * An empty answer replaces a removed answer, so that the question is not sent and charged again.
 */
export async function purgeQuestion(
  services: StoredPeopleServices,
  questionKey: string,
  people: PurgedPeople,
): Promise<Purged> {
  const { items, clock } = services;
  const item = { key: questionKind.key(questionKey), kind: 'question', clock, isForgetting: true };
  const { changes } = await change(items, item, (known) => {
    if (!known) return { changes: [] };
    const changes = answersOf(known).map((answer) => purged(services, { ...people, item: known }, answer));
    if (changes.every(({ before, after }) => before === after)) return { changes: [] };
    const value = withAnswers(
      known,
      changes.map(({ after }) => after),
    );
    return { changes, value };
  });
  return {
    answers: changes.filter(({ before, after }) => before.kind !== after.kind).length,
    entries: changes.reduce((sum, { entries }) => sum + entries, 0),
  };
}

/** People to remove. */
export interface PurgedPeople {
  readonly isGone: (person: IdentifierKeys) => boolean;
  /** Selects the answers from which the people are removed; all by default. */
  readonly isDropped?: (answer: StoredAnswer) => boolean;
}

/** Selects people who share any identifier, even a likely one. A privacy deletion must not remove too little. */
export function sharingAny(gone: ReadonlySet<string>): PurgedPeople['isGone'] {
  return (person) => allKeys(person).some((key) => gone.has(key));
}

interface Purge extends PurgedPeople {
  readonly item: QuestionItem;
}

interface PurgedAnswer {
  readonly before: StoredAnswer;
  readonly after: StoredAnswer;
  readonly entries: number;
}

function purged(
  services: StoredPeopleServices,
  { item, isGone: isOfThem, isDropped }: Purge,
  before: StoredAnswer,
): PurgedAnswer {
  if (before.kind !== 'found' || isDropped?.(before) === false) return { before, after: before, entries: 0 };
  const { operation, key } = item;
  const record = foundRecord(services, before);
  if (!record) return { before, after: before, entries: 0 };
  const isGone = peopleIn({ operation, record }, services.digest).map(isOfThem);
  if (isAboutOne(operation)) {
    const isHit = isOfThem({ sure: [key], likely: [] }) || isGone.includes(true);
    return { before, after: isHit ? withheld(before) : before, entries: 0 };
  }
  const entries = isGone.filter(Boolean).length;
  if (entries === 0) return { before, after: before, entries };
  const rest = withoutPeople({ operation, record }, (index) => isGone[index] === true);
  const { isCut } = before;
  const after = foundAnswer(before, { isCut, ...packAnswer(services, { operation, record: rest }) });
  return { before, after, entries };
}

function foundRecord(services: Pick<StoredPeopleServices, 'packing'>, answer: StoredAnswer) {
  return answer.kind === 'found' ? unpackAnswer(services, answer) : undefined;
}
