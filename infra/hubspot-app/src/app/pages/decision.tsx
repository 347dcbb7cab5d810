import { createContext, useContext } from 'react';
import { Answer, type RequestResult } from '../cards/answer.tsx';
import { PACE, type PollPace, type RequestState, useRequest } from '../cards/use-request.ts';
import { type HomeWish, type ReviewWish, readDecision, sendDecision } from './home-service.ts';

export type DecisionState<W> = RequestState<W, RequestResult>;

export interface PageOptions {
  readonly portalId?: number | undefined;
  /** How often a page polls for a decision. */
  readonly pace: PollPace;
  /** Copies a text to the clipboard. */
  readonly onCopy?: ((text: string) => void) | undefined;
}

export const PageSettings = createContext<PageOptions>({ pace: PACE });

/**
 * Sends the decisions of one row, one at a time, and polls for the replies.
 * @param onReply called with `true` if the decision was carried out.
 */
export function useDecision<W extends HomeWish | ReviewWish>(
  onReply: (isDone: boolean) => void,
): DecisionState<W> {
  const calls = {
    send: sendDecision,
    poll: async (id: string) => {
      const reply = await readDecision(id);
      return reply && { reply };
    },
    onAnswered: (_: W, { reply }: RequestResult) => {
      if (reply?.kind !== 'previewed') onReply(reply?.kind === 'decided');
    },
  };
  return useRequest<W, RequestResult>(calls, useContext(PageSettings).pace);
}

export function isAwaitingReply<W>({ asked }: DecisionState<W>): boolean {
  return asked.kind === 'under-way' || asked.kind === 'slow';
}

export function isDecided<W>({ asked }: DecisionState<W>): boolean {
  return asked.kind === 'answered' && asked.result.reply?.kind === 'decided';
}

/** Whether the row accepts no decision now, because it is decided or a decision is in progress. */
export function isBusy<W>(state: DecisionState<W>): boolean {
  return isAwaitingReply(state) || isDecided(state);
}

export { Answer as DecisionResult };
