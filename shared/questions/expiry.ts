import { DAY_MS } from '#shared/kernel/clock.ts';
import type { QuestionItem, StoredAnswer } from './schemas.ts';
import { answersOf } from './stored-answers.ts';

/**
 * How long a question's item outlives its last use: two thousand times the longest function, so that no asker can
 * come back to an item that has begun anew at version 1, and long enough for any sweep to book what was completed.
 */
const MARGIN_MS = 7 * DAY_MS;

/** A reservation younger than this whose question has no item was never sent: the item would still be there. */
export const ITEM_OUTLIVES_MS = MARGIN_MS - DAY_MS;

/**
 * When a question's item may go, epoch milliseconds; `undefined` while its attempt is open, because the books are
 * finished from it. With the item goes
 * - the fencing token: the next one is made of the clock and so is higher, and no reservation's id comes twice;
 * - the charge, booked days ago (a reservation that is still open without its item becomes a doubt, never a void);
 * - the count of misses: an item without a match therefore stays for as long again as the miss was believed, so that
 *   whatever is asked about at all keeps growing older, and what nobody asks about any more costs nothing.
 */
export function questionExpiry(item: QuestionItem): number | undefined {
  const { attempt, fencingToken } = item;
  if (attempt && attempt.state !== 'completed') return undefined;
  const ends = answersOf(item).map(answerEnd);
  return Math.max(fencingToken, attempt?.deadlineAtMs ?? 0, ...ends) + MARGIN_MS;
}

/** When the parts of an answer may go: not before the item that names them. */
export function partsExpiry(expiresAtMs: number): number {
  return expiresAtMs + MARGIN_MS + DAY_MS;
}

function answerEnd({ kind, askedAtMs, expiresAtMs }: StoredAnswer): number {
  return kind === 'no-match' ? expiresAtMs + (expiresAtMs - askedAtMs) : expiresAtMs;
}
