import { change } from '#shared/versioned-items';
import type { Note, QuestionItem } from '../schemas.ts';
import { answersOf } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { fence } from '../transitions.ts';
import { type FinishServices, finishStoredAnswer } from './finish-answer.ts';

/** `over`: the batch will send no request, and its answer has been distributed. */
export type NoteState = 'assembling' | 'in-flight' | 'in-doubt' | 'over';

/**
 * Reads the state of a note's batch. Stops a batch that was not sent in time. If the batch's worker ended before it
 * distributed the answer, distributes the answer.
 */
export async function stateOfNote(services: FinishServices, note: Note): Promise<NoteState> {
  const { items, clock } = services;
  const item = { key: questionKind.key(note.batch), kind: 'question', clock };
  const { state, batch } = await change(items, item, (known) => decide(known, note, clock.now()));
  if (batch) await finishStoredAnswer(services, batch);
  return state;
}

interface Decided {
  readonly state: NoteState;
  /** Set if the batch's answer must be distributed. */
  readonly batch?: QuestionItem;
  readonly value?: QuestionItem | undefined;
}

function decide(item: QuestionItem | undefined, note: Note, nowMs: number): Decided {
  const { reservationId: id, batch: questionKey, untilMs } = note;
  if (item?.attempt?.reservationId === id) {
    const { state, sentAtMs } = item.attempt;
    if (state !== 'completed') return { state };
    const isAnswered = answersOf(item).some(({ askedAtMs }) => askedAtMs === sentAtMs);
    return { state: 'over', ...(isAnswered && { batch: item }) };
  }
  if (nowMs < untilMs && !isFenced(item, id)) return { state: 'assembling' };
  const reservation = { id, questionKey, operation: 'companiesByDomain' };
  return { state: 'over', value: fence(item, { reservation, nowMs }).value };
}

/** The batch can no longer be sent, because the sweep or another worker raised the fencing token. */
function isFenced(item: QuestionItem | undefined, reservationId: string): boolean {
  return item !== undefined && item.attempt?.reservationId !== reservationId;
}
