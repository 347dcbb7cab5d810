import { DAY_MS } from '#shared/kernel';
import { covers, type QuestionOption } from './question.ts';
import type { QuestionItem, StoredAnswer } from './schemas.ts';

/** What every answer says of the request that brought it. */
type Asked = Pick<StoredAnswer, 'options' | 'askedAtMs' | 'expiresAtMs' | 'credits' | 'requestId'>;
type Packed = Pick<StoredAnswer, 'packed' | 'parts'>;
type Answers = Pick<QuestionItem, 'answer' | 'olderAnswers'>;

export function foundAnswer(
  { options, askedAtMs, expiresAtMs, credits, requestId }: Asked,
  packed: Packed,
): StoredAnswer {
  const asked = { options, askedAtMs, expiresAtMs, credits, ...(requestId !== undefined && { requestId }) };
  return { kind: 'found', ...asked, misses: 0, ...packed };
}

/** @param misses how many there were in a row, this one included. */
export function missedAnswer(asked: Asked, misses: number): StoredAnswer {
  return { kind: 'no-match', ...asked, misses };
}

/**
 * What a batch's answer says of one of its companies. Its miss is believed for as long as a result; it says nothing of
 * profiles, and is not counted with theirs.
 * @param packed the company's result; nothing where there was none.
 */
export function answerInBatch(
  { options, askedAtMs, expiresAtMs }: Asked,
  { batch, packed }: { readonly batch: string; readonly packed: string | undefined },
): StoredAnswer {
  const told = { options, askedAtMs, expiresAtMs, misses: 0, batch };
  return packed === undefined
    ? { kind: 'no-match', ...told, credits: 0 }
    : { kind: 'found', ...told, credits: 1, packed };
}

/** The rest of an answer about a forgotten person. */
export function withheld({ options, askedAtMs, expiresAtMs, credits }: Asked): StoredAnswer {
  return { kind: 'forgotten', options, askedAtMs, expiresAtMs, credits, misses: 0 };
}

/**
 * The newest answer that is fresh and includes what is wanted; otherwise one without a match, whatever was asked for with
 * it: to ask for more after a miss would only be paid again. A search result counts only where a search is enough.
 */
export function answerFor(
  item: Answers | undefined,
  { options, nowMs, bySearch = false }: Wanted,
): StoredAnswer | undefined {
  const fresh = answersOf(item).filter(
    (answer) => isFresh(answer, nowMs) && (bySearch || answer.batch === undefined),
  );
  return (
    fresh.find((answer) => covers(answer.options, options)) ?? fresh.find(({ kind }) => kind !== 'found')
  );
}

interface Wanted {
  readonly options: readonly QuestionOption[];
  readonly nowMs: number;
  /** What a search tells of a company is enough. */
  readonly bySearch?: boolean | undefined;
}

/**
 * The answers known once another one is. An older one is kept as long as it is fresh and includes what no newer one
 * does: of two that were paid for, one with emails and one with phones, neither may make the other be paid again.
 */
export function withAnswer(item: Answers, added: StoredAnswer, nowMs: number): Answers {
  const kept: StoredAnswer[] = [];
  for (const answer of [added, ...answersOf(item)].sort((a, b) => b.askedAtMs - a.askedAtMs)) {
    const isServed = kept.some((newer) => serves(newer, answer));
    if (kept.length === 0 || (isFresh(answer, nowMs) && !isServed)) kept.push(answer);
  }
  const [answer, ...olderAnswers] = kept;
  return { answer, olderAnswers: olderAnswers.length > 0 ? olderAnswers : undefined };
}

function serves(newer: StoredAnswer, older: StoredAnswer): boolean {
  return covers(newer.options, older.options) && (newer.batch === undefined || older.batch !== undefined);
}

/** Newest first. */
export function answersOf({ answer, olderAnswers = [] }: Answers = {}): readonly StoredAnswer[] {
  return answer ? [answer, ...olderAnswers] : [];
}

function isFresh({ expiresAtMs }: StoredAnswer, nowMs: number): boolean {
  return nowMs < expiresAtMs;
}

/**
 * How long a question's item outlives its last use: two thousand times the longest function. So no asker can return to
 * an item that has started again at version 1, and every sweep has time to book completed charges.
 */
const MARGIN_MS = 7 * DAY_MS;

/** A reservation younger than this whose question has no item was never sent: the item would still be there. */
export const ITEM_OUTLIVES_MS = MARGIN_MS - DAY_MS;

/**
 * When a question's item may expire, epoch milliseconds. `undefined` while its attempt is open, while its end may not
 * be booked, and while it lists booked doubts, because the books are finished from it. With the item goes
 * - the fencing token: the next one comes from the clock and so is higher, and no reservation's id comes twice;
 * - the charge, booked days ago (a reservation that is still open without its item becomes a doubt, never a void);
 * - the count of misses. An item without a match therefore stays as long again as the miss was believed. So a
 *   question in use keeps growing older, and one that is no longer used costs nothing.
 */
export function questionExpiry(item: QuestionItem): number | undefined {
  const { attempt, fencingToken, bookedDoubts } = item;
  if (bookedDoubts || (attempt && (attempt.state !== 'completed' || attempt.unbooked))) return undefined;
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
