import type { Clock, Digest, Packing } from '#shared/kernel';
import { change, type Owners, type VersionedItems } from '#shared/store';
import { identityOf, LOOKUPS, type QuestionOperation } from '../question.ts';
import type { QuestionItem, SideItem, StoredAnswer } from '../schemas.ts';
import { answersOf, foundAnswer, linkExpiry, packAnswer, unpackAnswer, withheld } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { withAnswers } from '../transitions.ts';
import { allKeys, type IdentifierKeys, identifierKeys, NO_IDENTIFIERS } from './suppression-list.ts';

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
interface StoredEntry {
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
      ...about,
      isWhole: isAboutOne(operation),
      entry,
      keys: people[index] ?? NO_IDENTIFIERS,
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
interface PurgedPeople {
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
    const isHit = isOfThem({ sure: [identityOf(key)], likely: [] }) || isGone.includes(true);
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

type AnswerRecord = Readonly<Record<string, unknown>>;

/** An answer of the gateway: one record, or for a search `{ data, companyInfo, ... }`. */
interface GivenAnswer {
  readonly operation: QuestionOperation;
  readonly record: AnswerRecord;
}

/** Returns the field of the answer that holds people; `itself` if the answer is about one person. */
function fieldOfPeople(operation: QuestionOperation): 'itself' | 'contacts' | 'data' | 'nowhere' {
  const { about, search } = LOOKUPS[operation];
  if (about === 'person') return search ? 'data' : 'itself';
  return search ? 'nowhere' : 'contacts';
}

/** Keyed hashes of the person that an answer is about; empty for lists and companies. */
export function identifiersOfAnswer(answer: GivenAnswer, digest: Digest): IdentifierKeys {
  const [person] = isAboutOne(answer.operation) ? peopleIn(answer, digest) : [];
  return person ?? NO_IDENTIFIERS;
}

export function isAboutOne(operation: QuestionOperation): boolean {
  return fieldOfPeople(operation) === 'itself';
}

/** Returns the identifiers of all people in an answer, in the answer's order. */
export function peopleIn(answer: GivenAnswer, digest: Digest): IdentifierKeys[] {
  const domains = companyDomains(answer);
  return entriesOf(answer).map((person) => identifierKeys(factsOf(person, domains), digest));
}

/** Removes people from the answer's list. @param isGone selects them by their index in `peopleIn`. */
export function withoutPeople(answer: GivenAnswer, isGone: (index: number) => boolean): AnswerRecord {
  const field = fieldOfPeople(answer.operation);
  if (field === 'itself' || field === 'nowhere') return answer.record;
  const kept = new Set(entriesOf(answer).filter((_, index) => !isGone(index)));
  const list = listAt(answer.record, field).filter((entry) => !isRecord(entry) || kept.has(entry));
  return { ...answer.record, [field]: list };
}

/** Returns the entries of an answer that hold a person, in the order of `peopleIn`. */
function entriesOf({ operation, record }: GivenAnswer): AnswerRecord[] {
  const field = fieldOfPeople(operation);
  if (field === 'itself') return [record];
  return field === 'nowhere' ? [] : listAt(record, field).filter(isRecord);
}

function listAt(record: AnswerRecord, field: string): readonly unknown[] {
  const list = record[field];
  return Array.isArray(list) ? list : [];
}

/** Domains of the company that the answer is about. */
function companyDomains({ operation, record }: GivenAnswer): string[] {
  if (fieldOfPeople(operation) === 'contacts') {
    const domains = record['domains'];
    return texts(record['domain'], record['website'], ...(Array.isArray(domains) ? domains : []));
  }
  const company = record['companyInfo'];
  return isRecord(company) ? texts(company['domain']) : [];
}

function factsOf(person: AnswerRecord, domains: readonly string[]) {
  const own = texts(person['employerDomain'], person['employerWebsite']);
  return {
    emails: texts(person['email']),
    profileUrls: texts(person['profileUrl']),
    phones: texts(person['mobilePhone']),
    names: namesOf(person),
    domains: [...own, ...domains],
  };
}

/**
 * Company contacts have only a full name. It is split in three ways, because first and last name may have several
 * words.
 */
function namesOf(person: AnswerRecord) {
  const [first] = texts(person['firstName']);
  const [last] = texts(person['lastName']);
  const given = first && last ? [{ first, last }] : [];
  const words = texts(person['name']).flatMap((name) => name.trim().split(/\s+/));
  if (words.length < 2) return given;
  const [firstWord = '', lastWord = ''] = [words[0], words.at(-1)];
  const splitNames = [
    { first: firstWord, last: words.slice(1).join(' ') },
    { first: firstWord, last: lastWord },
    { first: words.slice(0, -1).join(' '), last: lastWord },
  ];
  return [...given, ...splitNames];
}

function texts(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string' && value.trim() !== '').map(String);
}

function isRecord(value: unknown): value is AnswerRecord {
  return typeof value === 'object' && value !== null;
}
