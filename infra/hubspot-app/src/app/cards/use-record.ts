import { useCallback, useEffect, useRef, useState } from 'react';
import {
  ask,
  type CardAnswer,
  type CardRecord,
  type CardView,
  messageOf,
  show,
  type Wish,
} from './service.ts';
import { type PollPace, type RequestState, useRequest } from './use-request.ts';

type Progress = NonNullable<CardAnswer['progress']>;

export interface CardState extends Omit<RequestState<Wish, Progress>, 'again'> {
  /** Absent before the first answer. */
  readonly view: CardView | undefined;
  /** Why the installation did not answer. */
  readonly failure: string | undefined;
  /** Reads the record again. If a request was slow, polls for it again. */
  readonly look: () => void;
}

/** Requests that change nothing in HubSpot. */
const ONLY_SHOW: ReadonlySet<Wish['kind']> = new Set(['quote', 'preview']);

/** Reads the record, sends a person's requests, and polls until they are done. */
export function useRecord(record: CardRecord, onChange: () => void, pace: PollPace): CardState {
  const [view, setView] = useState<CardView>();
  const [failure, setFailure] = useState<string>();
  const isGone = useRef(false);
  const { objectType, id } = record;

  const readView = useCallback(
    async (requestId?: string): Promise<CardAnswer> => {
      const shown = await show({ objectType, id }, requestId);
      if (!isGone.current) setView(shown.view);
      return shown;
    },
    [objectType, id],
  );
  const look = useCallback(() => {
    setFailure(undefined);
    readView().catch((error: unknown) => setFailure(messageOf(error)));
  }, [readView]);
  useEffect(() => {
    isGone.current = false;
    look();
    return () => {
      isGone.current = true;
    };
  }, [look]);

  const calls = {
    send: (requestId: string, wish: Wish) => ask({ objectType, id }, requestId, wish),
    poll: async (requestId: string) => {
      const { progress } = await readView(requestId);
      return progress && isDone(progress) ? progress : undefined;
    },
    onAnswered: ({ kind }: Wish) => {
      if (!ONLY_SHOW.has(kind)) onChange();
    },
  };
  const { asked, wish, again, dismiss } = useRequest<Wish, Progress>(calls, pace);
  return { view, failure, asked, wish, dismiss, look: asked.kind === 'slow' ? again : look };
}

function isDone({ standing, reply }: Progress): boolean {
  return reply !== undefined || (standing !== undefined && standing.kind !== 'under-way');
}
