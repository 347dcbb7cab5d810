import type { Clock } from '#shared/kernel';
import { change } from '#shared/store';
import { identityOf, isSearch } from '../question.ts';
import type { Forget, StoredAnswer } from '../schemas.ts';
import { answersOf } from '../stored-answers.ts';
import { changeSideItem, questionKind, sideItemKind } from '../stored-kinds.ts';
import { withAnswers } from '../transitions.ts';
import type { Disclosures } from './disclosures.ts';
import { dropRecordLinks, questionsAbout, readLinks } from './links.ts';
import {
  isAboutOne,
  type Purged,
  peopleStored,
  purgeQuestion,
  type StoredPeopleServices,
  sharingAny,
  storedEntries,
} from './stored-people.ts';
import { allKeys, type IdentifierKeys, namesPerson, type SuppressionList } from './suppression-list.ts';

export interface ForgetServices extends StoredPeopleServices {
  readonly suppressionList: SuppressionList;
  readonly disclosures: Disclosures;
  readonly clock: Clock;
  /**
   * Removes all data about one record except a tombstone. Safe to repeat.
   * @param recordKey `contacts#123`
   * @returns the record's identifiers.
   */
  readonly forgetRecord: (recordKey: string) => Promise<readonly string[]>;
}

/** Counts of a person's deletion. */
interface Forgotten extends Purged {
  /** Keyed hashes on the suppression list, including those added earlier. */
  readonly identifiers: number;
  /** Keys of the records. */
  readonly records: readonly string[];
}

/**
 * Deletes a person's data: the known identifiers, and all data that our stores connect with them. Safe to repeat and to
 * interrupt. The deletion is noted first. After all workers of that time have ended, `repeatForgets` repeats it.
 * @param identifiers keyed hashes of any kind: `allKeys(identifierKeys(...))`, or those in a record's state.
 */
export async function forgetPerson(
  services: ForgetServices,
  identifiers: readonly string[],
): Promise<Forgotten> {
  if (identifiers.length === 0) return { identifiers: 0, records: [], answers: 0, entries: 0 };
  const atMs = services.clock.now();
  await changeForgets(services, bucketOf(identifiers), (due) => [
    ...due,
    { identifiers: [...identifiers], atMs },
  ]);
  return forgetNow(services, identifiers);
}

/**
 * Repeats each noted deletion a single time, because a worker may have stored an answer at the same time and crashed
 * before it read the suppression list.
 * @param graceMs the longest lifetime of a function.
 * @returns the number of repeated deletions.
 */
export async function repeatForgets(
  services: ForgetServices,
  { graceMs }: { graceMs: number },
): Promise<number> {
  const beforeMs = services.clock.now() - graceMs;
  let repeated = 0;
  for (let nth = 0; nth < BUCKETS; nth += 1) {
    const stored = await services.sideItems.read(sideItemKind.key({ forgets: nth }));
    const due =
      stored?.value.kind === 'forgets' ? stored.value.due.filter(({ atMs }) => atMs <= beforeMs) : [];
    for (const { identifiers } of due) await forgetNow(services, identifiers);
    if (due.length > 0)
      await changeForgets(services, nth, (all) => all.filter(({ atMs }) => atMs > beforeMs));
    repeated += due.length;
  }
  return repeated;
}

/** Number of items that list deletions. A portal may delete thousands of contacts at once, too many for one item. */
const BUCKETS = 16;

/**
 * Adds the identifiers to the suppression list first. Then searches the stores until no identifier is new, then purges.
 * The search finds answers of workers that did not see the list entry. A worker that stores an answer later sees the
 * entry, and removes the answer itself.
 */
async function forgetNow(services: ForgetServices, identifiers: readonly string[]): Promise<Forgotten> {
  const known = new Set(identifiers);
  const records = new Set<string>();
  let questions = new Set<string>();
  for (let size = 0; size < known.size; ) {
    size = known.size;
    await services.suppressionList.add([...known]);
    questions = await addConnected(services, { known, records });
  }
  const done = { answers: 0, entries: 0 };
  for (const question of questions) {
    const { answers, entries } = await purgeQuestion(services, question, { isGone: sharingAny(known) });
    done.answers += answers;
    done.entries += entries;
  }
  for (const key of known) await dropRecordLinks(services, key);
  await services.disclosures.forget([...known]);
  return { ...done, identifiers: known.size, records: [...records] };
}

/** Finds the records that a deletion of these identifiers would reach. Changes nothing. */
export async function recordsOfPerson(
  services: ConnectServices,
  identifiers: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set(identifiers);
  const records = new Set<string>();
  for (let size = 0; size < known.size; ) {
    size = known.size;
    await addConnected(services, { known, records });
  }
  return records;
}

/** `forgetRecord` returns a record's identifiers. It may also remove the record's data. */
type ConnectServices = Pick<ForgetServices, keyof StoredPeopleServices | 'forgetRecord'>;

interface KnownPerson {
  readonly known: Set<string>;
  readonly records: Set<string>;
}

/**
 * Adds identifiers and records that our stores connect with the person. An answer adds identifiers only if it shares an
 * address or a profile with the person. Two people in one company may share a name or the company's phone, so these
 * prove nothing.
 * @returns keys of the questions about the person.
 */
async function addConnected(
  services: ConnectServices,
  { known, records }: KnownPerson,
): Promise<Set<string>> {
  const questions = new Set<string>();
  for (const key of known) {
    for (const record of await readLinks(services, 'records', key)) {
      if (records.has(record)) continue;
      for (const learned of await services.forgetRecord(record)) known.add(learned);
      records.add(record);
    }
    for (const question of await questionsAbout(services, key)) {
      if (questions.has(question)) continue;
      questions.add(question);
      for (const person of await peopleStored(services, question)) {
        if (!person.sure.some((each) => known.has(each))) continue;
        for (const learned of allKeys(person)) known.add(learned);
      }
    }
  }
  return questions;
}

function changeForgets(
  services: ForgetServices,
  bucket: number,
  change: (due: readonly Forget[]) => readonly Forget[],
): Promise<void> {
  return changeSideItem(
    services,
    { key: sideItemKind.key({ forgets: bucket }), kind: 'list of forgettings' },
    (item) => ({
      kind: 'forgets',
      due: change(item?.kind === 'forgets' ? item.due : []),
    }),
  );
}

function bucketOf([first = '0']: readonly string[]): number {
  const number = Number.parseInt(first.slice(0, 1), 16);
  return Number.isNaN(number) ? 0 : number;
}

/** Selects stored answers to remove. */
export type AnswerFilter = (answer: Pick<StoredAnswer, 'askedAtMs'>) => boolean;

/**
 * Removes stored answers of a question, including whole lists. The item's attempt stays, because the ledger may still
 * need it. No tombstone is left, unlike after a privacy deletion, so the question can be sent and charged again. Safe
 * to repeat.
 * @returns the number of removed answers.
 */
export async function dropAnswers(
  services: StoredPeopleServices,
  questionKey: string,
  isDropped: AnswerFilter,
): Promise<number> {
  const { items, clock } = services;
  const key = questionKind.key(questionKey);
  const isRemoved = (answer: StoredAnswer) => answer.kind === 'found' && isDropped(answer);
  const { dropped } = await change(items, { key, kind: 'question', clock }, (known) => {
    const left = answersOf(known).filter((answer) => !isRemoved(answer));
    const dropped = answersOf(known).length - left.length;
    return known && dropped > 0 ? { dropped, value: withAnswers(known, left) } : { dropped: 0 };
  });
  return dropped;
}

interface DroppedPeople {
  readonly gone: ReadonlySet<string>;
  readonly isDropped: AnswerFilter;
  /** The question was sent for one of these people's records. */
  readonly isOwn: boolean;
  readonly isOfCompany: boolean;
}

/**
 * Removes stored answers about people. An answer about one person is removed whole. With `isOfCompany`, an answer about
 * one company is also removed whole. From lists, and from a company's contacts, only these people's entries are
 * removed. Only an address or a profile proves that an entry, or another record's answer, is about them. A phone or a
 * name may be a colleague's.
 * @param gone keyed hashes of their identifiers.
 */
export async function dropAnswersAbout(
  services: StoredPeopleServices,
  questionKey: string,
  { gone, isDropped, isOwn, isOfCompany }: DroppedPeople,
): Promise<number> {
  const item = (await services.items.read(questionKind.key(questionKey)))?.value;
  if (!item) return 0;
  if (isOfCompany && !isSearch(item)) return dropAnswers(services, questionKey, isDropped);
  const isSureGone = (keys: IdentifierKeys) => keys.sure.some((key) => gone.has(key));
  if (!isAboutOne(item.operation)) {
    const { entries } = await purgeQuestion(services, questionKey, { isGone: isSureGone, isDropped });
    return entries;
  }
  if (isOwn || (namesPerson(item) && gone.has(identityOf(questionKey))))
    return dropAnswers(services, questionKey, isDropped);
  const stored = await storedEntries(services, questionKey);
  const times = new Set(stored.flatMap(({ keys, askedAtMs }) => (isSureGone(keys) ? [askedAtMs] : [])));
  return dropAnswers(services, questionKey, (answer) => times.has(answer.askedAtMs) && isDropped(answer));
}
