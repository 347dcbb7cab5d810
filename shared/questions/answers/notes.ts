import type { Note, QuestionItem, StoredAnswer } from '../schemas.ts';
import { answerFor, answersOf, withAnswer } from '../stored-answers.ts';
import { type Obstacle, obstacle, type Transition } from '../transitions.ts';

/**
 * The life of a batch, and of its notes on the companies' own questions. The batch's item is a question like any other
 * (`transitions.ts`); what is new is that its list is fixed only as it is sent.
 *
 *     batch     assembling --send (list fixed)--> in-flight --> completed | in-doubt --> completed
 *                  |  a reservation, no item
 *                  + fence: never sent
 *
 *     note      none --take--> noted --handOut--> none, with an answer or without
 *                                |
 *                                + take by another batch, once this one is over
 *
 * - `take` is refused where there is a fresh answer, an attempt in flight or in doubt, or a note whose batch is not over.
 * - A note holds nothing by itself: whether its batch may still ask is told by the batch's item alone. A worker that finds one
 *   that was not sent in time fences the batch before it continues, so that the write that would send it fails.
 */
export type Untaken = 'answered' | 'noted' | Obstacle;

interface Taking {
  readonly key: string;
  readonly note: Note;
  readonly nowMs: number;
  /** The reservation of a batch that is known to be over. */
  readonly over?: string | undefined;
}

/** Notes on a company's question that the batch asks about it. */
export function take(
  item: QuestionItem | undefined,
  { key, note, nowMs, over }: Taking,
): Transition<Untaken, QuestionItem> {
  if (answerFor(item, { options: [], nowMs, bySearch: true })) return { kind: 'refused', reason: 'answered' };
  const reason = obstacle(item?.attempt);
  if (reason) return { kind: 'refused', reason };
  if (item?.note && item.note.reservationId !== over) return { kind: 'refused', reason: 'noted' };
  const known = item ?? { key, operation: 'companyProfile' as const, fencingToken: 0 };
  return { kind: 'next', value: { ...known, note } };
}

interface HandedOut {
  readonly reservationId: string;
  /** Nothing where the batch came back without any word of the company. */
  readonly answer: StoredAnswer | undefined;
  readonly nowMs: number;
}

/** The batch came back: its answer is kept, even after a later question, and its note goes. */
export function handOver(
  item: QuestionItem | undefined,
  { reservationId, answer, nowMs }: HandedOut,
): Transition<'nothing-new', QuestionItem> {
  const isNoted = item?.note?.reservationId === reservationId;
  const isNews = answer && !answersOf(item).some(({ batch }) => batch === answer.batch);
  if (!item || !(isNoted || isNews)) return { kind: 'refused', reason: 'nothing-new' };
  const { note, ...rest } = item;
  const left = note && !isNoted ? item : rest;
  return { kind: 'next', value: isNews ? { ...left, ...withAnswer(left, answer, nowMs) } : left };
}
