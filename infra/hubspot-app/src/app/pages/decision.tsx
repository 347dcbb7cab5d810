import { Answer, type RequestResult } from '../cards/answer.tsx';
import { type PollPace, type RequestState, useRequest } from '../cards/use-request.ts';
import { type HomeWish, type ReviewWish, readDecision, sendDecision } from './home-service.ts';

export type DecisionState<W> = RequestState<W, RequestResult>;

/** Sends the decisions of one row, one at a time, and polls for the replies. */
export function useDecision<W extends HomeWish | ReviewWish>(
  pace: PollPace,
  onDecided: () => void,
): DecisionState<W> {
  const calls = {
    send: sendDecision,
    poll: async (id: string) => {
      const reply = await readDecision(id);
      return reply && { reply };
    },
    onAnswered: (wish: W) => {
      if (!('record' in wish && wish.wish.kind === 'preview')) onDecided();
    },
  };
  return useRequest<W, RequestResult>(calls, pace);
}

export function isAwaitingReply<W>({ asked }: DecisionState<W>): boolean {
  return asked.kind === 'under-way' || asked.kind === 'slow';
}

/** Whether the row accepts no decision now, because it is decided or a decision is in progress. */
export function isBusy<W>(state: DecisionState<W>): boolean {
  const { asked } = state;
  if (isAwaitingReply(state)) return true;
  return asked.kind === 'answered' && asked.result.reply?.kind === 'decided';
}

export { Answer as DecisionResult };
