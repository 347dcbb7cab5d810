import { assert, DAY_MS, type Packing } from '#shared/kernel';
import type { QuestionOption } from '#shared/vendor';
import { covers, isSearch, type QuestionOperation } from './question.ts';
import type { QuestionItem, StoredAnswer } from './schemas.ts';

/** Facts about the request that yielded the answer. */
type Asked = Pick<StoredAnswer, 'options' | 'askedAtMs' | 'expiresAtMs' | 'credits' | 'requestId'>;

type Packed = Pick<StoredAnswer, 'packed' | 'isCut'>;

type Answers = Pick<QuestionItem, 'answer' | 'olderAnswers'>;

export function foundAnswer(
  { options, askedAtMs, expiresAtMs, credits, requestId }: Asked,
  packed: Packed,
): StoredAnswer {
  const asked = { options, askedAtMs, expiresAtMs, credits, ...(requestId !== undefined && { requestId }) };
  return { kind: 'found', ...asked, misses: 0, ...packed };
}

/** @param misses number of consecutive misses, including this one. */
export function missedAnswer(asked: Asked, misses: number): StoredAnswer {
  return { kind: 'no-match', ...asked, misses };
}

/** An answer about a forgotten person, without its contents. */
export function withheld({ options, askedAtMs, expiresAtMs, credits }: Asked): StoredAnswer {
  return { kind: 'forgotten', options, askedAtMs, expiresAtMs, credits, misses: 0 };
}

/**
 * Finds the newest fresh answer with the wanted options. If there is none, finds a fresh miss with any options, because
 * a repeat with more options would only be charged again.
 */
export function answerFor(item: Answers | undefined, { options, nowMs }: Wanted): StoredAnswer | undefined {
  const fresh = answersOf(item).filter((answer) => isUnexpired(answer, nowMs));
  return (
    fresh.find((answer) => covers(answer.options, options)) ?? fresh.find(({ kind }) => kind !== 'found')
  );
}

interface Wanted {
  readonly options: readonly QuestionOption[];
  readonly nowMs: number;
}

/**
 * Adds an answer. Keeps an older answer while it is fresh and has an option that no newer answer includes. So an answer
 * with emails and an answer with phones are both kept, and neither is charged twice.
 */
export function withAnswer(item: Answers, added: StoredAnswer, nowMs: number): Answers {
  const kept: StoredAnswer[] = [];
  for (const answer of [added, ...answersOf(item)].sort((a, b) => b.askedAtMs - a.askedAtMs)) {
    const isReplaced = kept.some((newer) => covers(newer.options, answer.options));
    if (kept.length === 0 || (isUnexpired(answer, nowMs) && !isReplaced)) kept.push(answer);
  }
  const [answer, ...olderAnswers] = kept;
  return { answer, olderAnswers: olderAnswers.length > 0 ? olderAnswers : undefined };
}

/** Newest first. */
export function answersOf({ answer, olderAnswers = [] }: Answers = {}): readonly StoredAnswer[] {
  return answer ? [answer, ...olderAnswers] : [];
}

function isUnexpired({ expiresAtMs }: StoredAnswer, nowMs: number): boolean {
  return nowMs < expiresAtMs;
}

/**
 * How long a question's item outlives its last use: two thousand times the longest lifetime of a function. So no worker
 * can meet an item that was deleted and created again. And the sweep has time to book completed charges.
 */
export const QUESTION_MARGIN_MS = 7 * DAY_MS;

/**
 * Returns when a question's item may expire, epoch milliseconds. `undefined` while the ledger may still need the item:
 * its attempt is open, or it lists booked doubts. The item's deletion removes
 * - the fencing token: the next one comes from the clock, so it is higher, and reservation ids stay unique;
 * - the charge, which was booked days ago. If nothing ran for so long, the sweep books the worst case instead;
 * - the count of misses. So a missed answer stays twice as long as it is fresh, and a question in use keeps its count.
 */
export function questionExpiry(item: QuestionItem): number | undefined {
  const { attempt, fencingToken, bookedDoubts } = item;
  if (bookedDoubts || (attempt && attempt.state !== 'completed')) return undefined;
  const ends = answersOf(item).map(answerEnd);
  return Math.max(fencingToken, attempt?.deadlineAtMs ?? 0, ...ends) + QUESTION_MARGIN_MS;
}

/** Returns when an index entry of an answer may expire: later than the answer's item. */
export function linkExpiry(expiresAtMs: number): number {
  return expiresAtMs + QUESTION_MARGIN_MS + DAY_MS;
}

function answerEnd({ kind, askedAtMs, expiresAtMs }: StoredAnswer): number {
  return kind === 'no-match' ? expiresAtMs + (expiresAtMs - askedAtMs) : expiresAtMs;
}

type AnswerRecord = Readonly<Record<string, unknown>>;

interface PackServices {
  readonly packing: Packing;
}

/**
 * Space for answers in a question's item. A DynamoDB item holds 400 KB, and the rest of the item needs a few. Packed
 * answers are ASCII.
 */
const ROOM_BYTES = 300_000;

/** Most answers of a question: one for each of the 8 combinations of three options. A search has one answer. */
const MAX_ANSWERS = 8;

/** Packs a record. A record that is too large is cut until it fits: its largest field becomes shorter, again and again. */
export function packAnswer(
  { packing }: PackServices,
  { operation, record }: { readonly operation: QuestionOperation; readonly record: AnswerRecord },
): Pick<StoredAnswer, 'packed' | 'isCut'> {
  const roomBytes = isSearch({ operation }) ? ROOM_BYTES : ROOM_BYTES / MAX_ANSWERS;
  let kept = record;
  let packed = packing.pack(kept);
  while (packed.length > roomBytes) {
    kept = withShorterField(kept);
    packed = packing.pack(kept);
  }
  return kept === record ? { packed } : { packed, isCut: true };
}

/** Drops the last quarter of the largest field's list. Leaves a text or an object out, because half of it is no value. */
function withShorterField(record: AnswerRecord): AnswerRecord {
  const bySize = Object.entries(record).map(([name, value]) => ({
    name,
    value,
    size: JSON.stringify(value)?.length ?? 0,
  }));
  const { name, value } = bySize.reduce((largest, field) => (field.size > largest.size ? field : largest));
  const { [name]: _, ...rest } = record;
  if (!Array.isArray(value) || value.length === 0) return rest;
  return { ...rest, [name]: value.slice(0, Math.floor((value.length * 3) / 4)) };
}

/** Unpacks the record of an answer. @returns `undefined` if the answer has none. */
export function unpackAnswer({ packing }: PackServices, { packed }: StoredAnswer): AnswerRecord | undefined {
  if (!packed) return undefined;
  const record = packing.unpack(packed);
  assert(record !== null && typeof record === 'object', 'a stored answer is a record');
  return { ...record };
}
