import type { RecordState, Rejected } from './schemas.ts';
import { MAX_REJECTED } from './transitions.ts';

/** A person says that an answer is about somebody else. Safe to repeat. */
export function rejectAnswer(state: RecordState, rejected: Rejected): RecordState {
  const isSame = (each: Rejected) =>
    each.questionKey === rejected.questionKey && each.askedAtMs === rejected.askedAtMs;
  const others = (state.rejected ?? []).filter((each) => !isSame(each));
  return { ...state, rejected: [...others, rejected].slice(-MAX_REJECTED) };
}
