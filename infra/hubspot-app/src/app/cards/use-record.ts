import { useCallback, useEffect, useRef, useState } from 'react';
import {
  ask,
  type CardAnswer,
  type CardRecord,
  type CardView,
  isServiceRefusal,
  messageOf,
  show,
  type Wish,
} from './service.ts';

/** The request that a person made last. It keeps its id, so that asking again never pays twice. */
export interface MadeRequest {
  readonly id: string;
  readonly wish: Wish;
  /** The installation has it. */
  readonly isSent: boolean;
}

export type WishState =
  | { readonly kind: 'nothing' }
  /** `trouble`: the last poll or the request itself got no reply. The card keeps asking. */
  | { readonly kind: 'under-way'; readonly request: MadeRequest; readonly trouble?: string | undefined }
  /** It takes longer than the card polls. */
  | { readonly kind: 'slow'; readonly request: MadeRequest; readonly trouble?: string | undefined }
  /** The installation refused it: nothing was done. */
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
  /** Reads the record again; polls again for a request that was slow. */
  readonly look: () => void;
}

export interface PollPace {
  readonly pollMs: number;
  readonly polls: number;
}

/** A person waits for a minute, and comes back later for what takes longer. */
const PACE: PollPace = { pollMs: 2_000, polls: 30 };

/** Reads the record, sends what a person asks for, and polls until it is done. */
export function useRecord(record: CardRecord, onChange: () => void, pace: PollPace = PACE): CardState {
  const [view, setView] = useState<CardView>();
  const [failure, setFailure] = useState<string>();
  const [asked, setAsked] = useState<WishState>({ kind: 'nothing' });
  const isGone = useRef(false);
  /** The request whose reply the card waits for. A person may have closed it, or made another one. */
  const awaited = useRef<string>(undefined);
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

  const follow = useCallback(
    async (request: MadeRequest) => {
      awaited.current = request.id;
      const isAwaited = () => !isGone.current && awaited.current === request.id;
      const tell = (state: WishState) => isAwaited() && setAsked(state);
      const attempt = attemptsOf({ record: { objectType, id }, request, read: readView });
      let open: Open = { kind: 'open', isSent: request.isSent };
      tell({ kind: 'under-way', request });
      for (let poll = 0; poll <= pace.polls && isAwaited(); poll += 1) {
        const result = await attempt();
        if (result.kind === 'refused') return void tell({ kind: 'failed', why: result.why });
        if (result.kind === 'done') {
          tell({ kind: 'answered', wish: request.wish, progress: result.progress });
          if (request.wish.kind !== 'quote') onChange();
          return;
        }
        open = result;
        tell({ kind: 'under-way', request, trouble: open.trouble });
        await pause(pace.pollMs);
      }
      tell({ kind: 'slow', request: { ...request, isSent: open.isSent }, trouble: open.trouble });
    },
    [objectType, id, readView, onChange, pace],
  );

  const dismiss = useCallback(() => {
    awaited.current = undefined;
    setAsked({ kind: 'nothing' });
  }, []);
  return {
    ...{ view, failure, asked, dismiss },
    wish: (wish) => void follow({ id: newRequestId(), wish, isSent: false }),
    look: asked.kind === 'slow' ? () => void follow(asked.request) : look,
  };
}

interface Open {
  readonly kind: 'open';
  readonly isSent: boolean;
  readonly trouble?: string | undefined;
}

type Attempt =
  | Open
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'done'; readonly progress: NonNullable<CardAnswer['progress']> };

interface Attempted {
  readonly record: CardRecord;
  readonly request: MadeRequest;
  readonly read: (requestId: string) => Promise<CardAnswer>;
}

/**
 * Sends the request until the installation has it, then asks how far it is. A lost reply is no refusal: the request may
 * have arrived and been charged, so it is sent again by the same id, which costs nothing more.
 */
function attemptsOf({ record, request, read }: Attempted): () => Promise<Attempt> {
  let { isSent } = request;
  return async () => {
    try {
      if (!isSent) {
        await ask(record, request.id, request.wish);
        isSent = true;
        return { kind: 'open', isSent };
      }
      const { progress } = await read(request.id);
      return progress && isDone(progress) ? { kind: 'done', progress } : { kind: 'open', isSent };
    } catch (error) {
      if (!isSent && isServiceRefusal(error)) return { kind: 'refused', why: messageOf(error) };
      return { kind: 'open', isSent, trouble: messageOf(error) };
    }
  };
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
