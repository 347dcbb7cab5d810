import { DAY_MS } from '../kernel/clock.ts';
import type { QuestionItem, StoredAnswer } from './item.ts';

/**
 * How long a question's item outlives its last use: two thousand times the longest function, so that no asker can
 * come back to an item that has begun anew at version 1, and long enough for any sweep to book what was settled.
 */
const MARGIN_MS = 7 * DAY_MS;

/**
 * When a question's item may go, epoch milliseconds; `undefined` while its asking is open, because the books are
 * finished from it. With the item goes
 * - the fence: the next one is made of the clock and so is higher, and no reservation's id comes twice;
 * - the verdict, booked days ago (a reservation that is still open without its item becomes a doubt, never a void);
 * - the count of misses: an item without a match therefore stays for as long again as the miss was believed, so that
 *   whatever is asked about at all keeps growing older, and what nobody asks about any more costs nothing.
 */
export function questionExpiry(item: QuestionItem): number | undefined {
  const { asking, answer, olderAnswers = [], fence } = item;
  if (asking && asking.state !== 'settled') return undefined;
  const ends = [...(answer ? [answer] : []), ...olderAnswers].map(answerEnd);
  return Math.max(fence, asking?.deadlineAtMs ?? 0, ...ends) + MARGIN_MS;
}

/** When the parts of an answer may go: not before the item that names them. */
export function partsExpiry(expiresAtMs: number): number {
  return expiresAtMs + MARGIN_MS + DAY_MS;
}

function answerEnd({ kind, askedAtMs, expiresAtMs }: StoredAnswer): number {
  return kind === 'no-match' ? expiresAtMs + (expiresAtMs - askedAtMs) : expiresAtMs;
}
