import { change } from '#shared/versioned-items';
import { blankParts } from '../packed-answers.ts';
import { companyKey, isSearch } from '../question.ts';
import type { QuestionItem, StoredAnswer } from '../schemas.ts';
import { answersOf } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { withAnswers } from '../transitions.ts';
import { type IdentifierKeys, namesPerson } from './identifiers.ts';
import { isAboutOne } from './people-in-answer.ts';
import { purgeQuestion, type StoredPeopleServices, storedEntries } from './stored-people.ts';

/** Whether a stored answer is to go. */
export type AnswerFilter = (answer: Pick<StoredAnswer, 'askedAtMs'>) => boolean;

/**
 * Removes what a question's stored answers say, its lists whole. The attempt stays, since the books are finished from it.
 * Unlike a forgetting it leaves no mark: the question may be paid for again. Safe to repeat.
 * @returns how many answers are gone.
 */
export async function dropAnswers(
  services: StoredPeopleServices,
  questionKey: string,
  isDropped: AnswerFilter,
): Promise<number> {
  const { items, clock } = services;
  const key = questionKind.key(questionKey);
  const isGone = (answer: StoredAnswer) => answer.kind === 'found' && isDropped(answer);
  // First, because no item would name them any more. An answer without its parts is of no use to anybody.
  for (const answer of answersOf((await items.read(key))?.value))
    if (isGone(answer)) await blankParts(services, answer);
  const { dropped } = await change(items, { key, kind: 'question', clock }, (known) => {
    const left = answersOf(known).filter((answer) => !isGone(answer));
    const dropped = answersOf(known).length - left.length;
    return known && dropped > 0 ? { dropped, value: withAnswers(known, left) } : { dropped: 0 };
  });
  return dropped;
}

interface DroppedPeople {
  readonly gone: ReadonlySet<string>;
  readonly isDropped: AnswerFilter;
  /** The question was asked for a record of these people. */
  readonly isOwn: boolean;
  readonly isOfCompany: boolean;
}

/**
 * The same for a question about one person, or with `isOfCompany` about one company. Of a list, or of a
 * company's people, only the entries of these people go. A phone or a name in a company may be a colleague's: only an
 * address or a profile proves that an entry, or an answer to a question of others, is about them.
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

/** The questions whose items hold parts of a batch's answer: its own, and those of its companies. */
export function keysOfAnswer(
  { key, operation, attempt }: Pick<QuestionItem, 'key' | 'operation' | 'attempt'>,
  digest: StoredPeopleServices['digest'],
): readonly string[] {
  const domains = isSearch({ operation }) ? (attempt?.domains ?? []) : [];
  return [key, ...domains.map((domain) => companyKey(domain, digest))];
}
