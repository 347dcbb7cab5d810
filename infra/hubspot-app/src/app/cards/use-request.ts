import { useCallback, useEffect, useRef, useState } from 'react';
import { isServiceRefusal, messageOf } from './service.ts';

/** The request that a person made last. It keeps its id, so that asking again never pays or decides twice. */
export interface MadeRequest<W> {
  readonly id: string;
  readonly wish: W;
  /** The installation has it. */
  readonly isSent: boolean;
}

export type WishState<W, R> =
  | { readonly kind: 'nothing' }
  /** `trouble`: the last poll or the request itself got no reply. The page keeps asking. */
  | { readonly kind: 'under-way'; readonly request: MadeRequest<W>; readonly trouble?: string | undefined }
  /** It takes longer than the page polls. */
  | { readonly kind: 'slow'; readonly request: MadeRequest<W>; readonly trouble?: string | undefined }
  /** The installation refused it: nothing was done. */
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'answered'; readonly wish: W; readonly result: R };

export interface RequestState<W, R> {
  readonly asked: WishState<W, R>;
  readonly wish: (wish: W) => void;
  /** Polls again for a request that was slow. */
  readonly again: () => void;
  readonly dismiss: () => void;
}

export interface RequestCalls<W, R> {
  readonly send: (id: string, wish: W) => Promise<void>;
  /** @returns undefined while there is no result. */
  readonly poll: (id: string) => Promise<R | undefined>;
  readonly onAnswered: (wish: W) => void;
}

export interface PollPace {
  readonly pollMs: number;
  readonly polls: number;
}

/** A person waits for a minute, and comes back later for what takes longer. */
export const PACE: PollPace = { pollMs: 2_000, polls: 30 };

/** Sends a person's request, and polls until it has a result. */
export function useRequest<W, R>(calls: RequestCalls<W, R>, pace: PollPace): RequestState<W, R> {
  const [asked, setAsked] = useState<WishState<W, R>>({ kind: 'nothing' });
  const latest = useRef(calls);
  latest.current = calls;
  const isGone = useRef(false);
  /** The request whose result the page waits for. A person may have closed it, or made another one. */
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const follow = useCallback(
    async (request: MadeRequest<W>) => {
      awaited.current = request.id;
      const isAwaited = () => !isGone.current && awaited.current === request.id;
      const show = (state: WishState<W, R>) => isAwaited() && setAsked(state);
      const attempt = attemptsOf(request, () => latest.current);
      let open: Open = { kind: 'open', isSent: request.isSent };
      show({ kind: 'under-way', request });
      for (let poll = 0; poll <= pace.polls && isAwaited(); poll += 1) {
        const result = await attempt();
        if (result.kind === 'refused') return void show({ kind: 'failed', why: result.why });
        if (result.kind === 'done') {
          show({ kind: 'answered', wish: request.wish, result: result.result });
          latest.current.onAnswered(request.wish);
          return;
        }
        open = result;
        show({ kind: 'under-way', request, trouble: open.trouble });
        await pause(pace.pollMs);
      }
      show({ kind: 'slow', request: { ...request, isSent: open.isSent }, trouble: open.trouble });
    },
    [pace],
  );

  const dismiss = useCallback(() => {
    awaited.current = undefined;
    setAsked({ kind: 'nothing' });
  }, []);
  return {
    ...{ asked, dismiss },
    wish: (wish) => void follow({ id: newRequestId(), wish, isSent: false }),
    again: () => asked.kind === 'slow' && void follow(asked.request),
  };
}

interface Open {
  readonly kind: 'open';
  readonly isSent: boolean;
  readonly trouble?: string | undefined;
}

type Attempt<R> =
  | Open
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'done'; readonly result: R };

/**
 * Sends the request until the installation has it, then polls for its result. A lost reply is no refusal: the request may
 * have arrived and been charged, so it is sent again with the same id, which costs nothing more.
 */
function attemptsOf<W, R>(
  request: MadeRequest<W>,
  calls: () => RequestCalls<W, R>,
): () => Promise<Attempt<R>> {
  let { isSent } = request;
  return async () => {
    try {
      if (!isSent) {
        await calls().send(request.id, request.wish);
        isSent = true;
        return { kind: 'open', isSent };
      }
      const result = await calls().poll(request.id);
      return result === undefined ? { kind: 'open', isSent } : { kind: 'done', result };
    } catch (error) {
      if (!isSent && isServiceRefusal(error)) return { kind: 'refused', why: messageOf(error) };
      return { kind: 'open', isSent, trouble: messageOf(error) };
    }
  };
}

/** The same for all repetitions of one request, and for no other. */
function newRequestId(): string {
  const random = () => Math.random().toString(36).slice(2, 12);
  return `page-${Date.now().toString(36)}-${random()}${random()}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
