import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, type RecordName, type Shown, show, type View, type Wish } from './service.ts';

/** What is going on with the request that a person made last. */
export type Asked =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'under-way'; readonly wish: Wish }
  /** It goes on without the card. */
  | { readonly kind: 'slow'; readonly wish: Wish }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'answered';
      readonly wish: Wish;
      readonly progress: NonNullable<Shown['progress']>;
    };

export interface RecordState {
  /** Nothing before the first answer. */
  readonly view: View | undefined;
  /** Why the installation did not answer. */
  readonly failure: string | undefined;
  readonly asked: Asked;
  readonly wish: (wish: Wish) => void;
  readonly dismiss: () => void;
  readonly look: () => void;
}

export interface Pace {
  readonly pollMs: number;
  readonly polls: number;
}

/** A person waits for a minute, and comes back later for what takes longer. */
const PACE: Pace = { pollMs: 2_000, polls: 30 };

/** The record as it is known, and what a person asks for; asks how far it is until it is done. */
export function useRecord(record: RecordName, onChange: () => void, pace: Pace = PACE): RecordState {
  const [view, setView] = useState<View>();
  const [failure, setFailure] = useState<string>();
  const [asked, setAsked] = useState<Asked>({ kind: 'nothing' });
  const isGone = useRef(false);
  const { objectType, id } = record;

  const look = useCallback(
    async (requestId?: string): Promise<Shown> => {
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

function isDone({ standing, reply }: NonNullable<Shown['progress']>): boolean {
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
