import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, type CardAnswer, type CardRecord, type CardView, show, type Wish } from './service.ts';

/** What is going on with the request that a person made last. */
export type WishState =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'under-way'; readonly wish: Wish }
  /** It goes on without the card. */
  | { readonly kind: 'slow'; readonly wish: Wish }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'answered';
      readonly wish: Wish;
      readonly progress: NonNullable<CardAnswer['progress']>;
    };

export interface CardState {
  /** Nothing before the first answer. */
  readonly view: CardView | undefined;
  /** Why the installation did not answer. */
  readonly failure: string | undefined;
  readonly asked: WishState;
  readonly wish: (wish: Wish) => void;
  readonly dismiss: () => void;
  readonly look: () => void;
}

export interface PollPace {
  readonly pollMs: number;
  readonly polls: number;
}

/** A person waits for a minute, and comes back later for what takes longer. */
const PACE: PollPace = { pollMs: 2_000, polls: 30 };

/** The record as it is known, and what a person asks for; asks how far it is until it is done. */
export function useRecord(record: CardRecord, onChange: () => void, pace: PollPace = PACE): CardState {
  const [view, setView] = useState<CardView>();
  const [failure, setFailure] = useState<string>();
  const [asked, setAsked] = useState<WishState>({ kind: 'nothing' });
  const isGone = useRef(false);
  const { objectType, id } = record;

  const look = useCallback(
    async (requestId?: string): Promise<CardAnswer> => {
      const shown = await show({ objectType, id }, requestId);
      if (!isGone.current) setView(shown.view);
      return shown;
    },
    [objectType, id],
  );

  const lookAgain = useCallback(() => {
    setFailure(undefined);
    look().catch((error: unknown) => setFailure(whyOf(error)));
  }, [look]);

  useEffect(() => {
    isGone.current = false;
    lookAgain();
    return () => {
      isGone.current = true;
    };
  }, [lookAgain]);

  const wish = useCallback(
    async (wanted: Wish) => {
      setAsked({ kind: 'under-way', wish: wanted });
      try {
        const requestId = newRequestId();
        await ask({ objectType, id }, requestId, wanted);
        for (let poll = 0; poll < pace.polls && !isGone.current; poll += 1) {
          await pause(pace.pollMs);
          const { progress } = await look(requestId);
          if (!progress || !isDone(progress)) continue;
          setAsked({ kind: 'answered', wish: wanted, progress });
          if (wanted.kind !== 'quote') onChange();
          return;
        }
        setAsked({ kind: 'slow', wish: wanted });
      } catch (error) {
        setAsked({ kind: 'failed', why: whyOf(error) });
      }
    },
    [objectType, id, look, onChange, pace],
  );
  const dismiss = useCallback(() => setAsked({ kind: 'nothing' }), []);
  return { view, failure, asked, wish: (wanted) => void wish(wanted), dismiss, look: lookAgain };
}

function isDone({ standing, reply }: NonNullable<CardAnswer['progress']>): boolean {
  return reply !== undefined || (standing !== undefined && standing.kind !== 'under-way');
}

/** The same for all repetitions of one request, and for no other. */
function newRequestId(): string {
  const random = () => Math.random().toString(36).slice(2, 12);
  return `card-${Date.now().toString(36)}-${random()}${random()}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
