import type { Digest } from '#shared/kernel';
import { LOOKUPS, type QuestionOperation } from '../question.ts';
import { type IdentifierKeys, identifierKeys, NO_IDENTIFIERS } from './identifiers.ts';

type AnswerRecord = Readonly<Record<string, unknown>>;

/** An answer of the gateway: one record, or for a search `{ data, companyInfo, ... }`. */
export interface GivenAnswer {
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
export function entriesOf({ operation, record }: GivenAnswer): AnswerRecord[] {
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
