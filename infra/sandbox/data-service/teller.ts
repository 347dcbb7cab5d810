import type { Books } from './bill.ts';
import { ApiError, insufficientCredits } from './errors.ts';
import type { Answer, Operation, Price, Question, View } from './operation.ts';
import type { NoMatchCost } from './settings.ts';

export interface Teller {
  readonly books: Books;
  readonly noMatchCost: NoMatchCost;
  readonly view: View;
}

/**
 * Answers a question and charges for it in one step. A search must be able to pay at least one result before it
 * is run, and all its results before any is charged.
 * @throws ApiError 402, with nothing charged; 404, charged as the setting says
 */
export function answerAndCharge({ name }: Operation, question: Question, teller: Teller): Answer {
  const { price } = question;
  const { books } = teller;
  if (books.balance() < price.full) throw insufficientCredits();
  const answer = answerOrChargeNoMatch(name, question, teller);
  const cost = price.per === 'result' ? price.full * answer.resultCount : price.full;
  if (books.balance() < cost) throw insufficientCredits();
  books.charge(name, cost);
  return answer;
}

function answerOrChargeNoMatch(name: Operation['name'], question: Question, teller: Teller): Answer {
  try {
    return question.answer(teller.view);
  } catch (error) {
    const isNoMatch = error instanceof ApiError && error.status === 404;
    if (isNoMatch) teller.books.charge(name, costOfNoMatch(question.price, teller.noMatchCost));
    throw error;
  }
}

/** Of the employee search, which alone of the searches can end so, it counts as one result. */
function costOfNoMatch(price: Price, setting: NoMatchCost): number {
  if (setting === 'none') return 0;
  return setting === 'base' ? price.base : price.full;
}
