import { change } from '#shared/store';
import { isSearch } from '../question.ts';
import type { StoredAnswer } from '../schemas.ts';
import { answersOf } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { withAnswers } from '../transitions.ts';
import { type IdentifierKeys, namesPerson } from './identifiers.ts';
import { isAboutOne } from './people-in-answer.ts';
import { purgeQuestion, type StoredPeopleServices, storedEntries } from './stored-people.ts';

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
  if (isOwn || (namesPerson(item) && gone.has(questionKey)))
    return dropAnswers(services, questionKey, isDropped);
  const stored = await storedEntries(services, questionKey);
  const times = new Set(stored.flatMap(({ keys, askedAtMs }) => (isSureGone(keys) ? [askedAtMs] : [])));
  return dropAnswers(services, questionKey, (answer) => times.has(answer.askedAtMs) && isDropped(answer));
}
