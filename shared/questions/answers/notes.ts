import type { Note, QuestionItem, StoredAnswer } from '../schemas.ts';
import { answerFor, answersOf, withAnswer } from '../stored-answers.ts';
import { type Obstacle, obstacle, type Transition } from '../transitions.ts';

/**
 * The states of a batch and of its notes on the companies' own questions. The batch's item is a question like any other
 * (`transitions.ts`), except that its list is fixed when it is sent.
 *
 *     batch     assembling --send (list fixed)--> in-flight --> completed | in-doubt --> completed
 *                  |  a reservation, no item
 *                  + fence: never sent
 *
 *     note      none --take--> noted --handOver--> none, with an answer or without
 *                                |
 *                                + take by another batch, after this batch is over
 *
 * - `take` is refused if there is a fresh answer, an attempt in flight or in doubt, or a note whose batch is not over.
 * - A note is no lock. Only the batch's item shows whether the batch may still be sent. A worker that finds a batch
 *   that was not sent in time fences it first, so that the write that would send it fails.
 */
export type LeftOutReason = 'answered' | 'noted' | Obstacle;

interface Taking {
  readonly key: string;
  readonly note: Note;
  readonly nowMs: number;
  /** The reservation of a batch that is known to be over. */
  readonly over?: string | undefined;
}

/** Stores a note on a company's question: the batch includes the company. */
export function take(
  item: QuestionItem | undefined,
  { key, note, nowMs, over }: Taking,
): Transition<LeftOutReason, QuestionItem> {
  if (answerFor(item, { options: [], nowMs, bySearch: true })) return { kind: 'refused', reason: 'answered' };
  const reason = obstacle(item?.attempt);
  if (reason) return { kind: 'refused', reason };
  if (item?.note && item.note.reservationId !== over) return { kind: 'refused', reason: 'noted' };
  const known = item ?? { key, operation: 'companyProfile' as const, fencingToken: 0 };
  return { kind: 'next', value: { ...known, note } };
}

interface HandedOut {
  readonly reservationId: string;
  /** Absent if the batch's result for the company is unknown. */
  readonly answer: StoredAnswer | undefined;
  readonly nowMs: number;
}

/**
 * Stores the batch's answer on the company's question and removes the note, even if the question was sent again since.
 */
export function handOver(
  item: QuestionItem | undefined,
  { reservationId, answer, nowMs }: HandedOut,
): Transition<'nothing-new', QuestionItem> {
  const isNoted = item?.note?.reservationId === reservationId;
  const isNew = answer && !answersOf(item).some(({ batch }) => batch === answer.batch);
  if (!item || !(isNoted || isNew)) return { kind: 'refused', reason: 'nothing-new' };
  const { note, ...rest } = item;
  const unnoted = note && !isNoted ? item : rest;
  return { kind: 'next', value: isNew ? { ...unnoted, ...withAnswer(unnoted, answer, nowMs) } : unnoted };
}
