import { useCallback, useEffect, useRef, useState } from 'react';
import { isServiceRefusal, messageOf } from './service.ts';

/** The last request of a person. It keeps its id, so that a repetition cannot pay or decide twice. */
export interface MadeRequest<W> {
  readonly id: string;
  readonly wish: W;
  /** Whether the installation has received the request. */
  readonly isSent: boolean;
}

export type WishState<W, R> =
  | { readonly kind: 'nothing' }
  /** `trouble`: why the last poll or the request itself got no reply. The page continues to ask. */
  | { readonly kind: 'under-way'; readonly request: MadeRequest<W>; readonly trouble?: string | undefined }
  /** The request takes longer than the page polls. */
  | { readonly kind: 'slow'; readonly request: MadeRequest<W>; readonly trouble?: string | undefined }
  /** The installation refused the request. Nothing was done. */
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'answered'; readonly wish: W; readonly result: R };

export interface RequestState<W, R> {
  readonly asked: WishState<W, R>;
  readonly wish: (wish: W) => void;
  /** Polls again for a slow request. */
  readonly again: () => void;
  readonly dismiss: () => void;
}

export interface RequestCalls<W, R> {
  readonly send: (id: string, wish: W) => Promise<void>;
  /** @returns the result, or `undefined` while there is none. */
  readonly poll: (id: string) => Promise<R | undefined>;
  readonly onAnswered: (wish: W, result: R) => void;
}

export interface PollPace {
  readonly pollMs: number;
  readonly polls: number;
}

/** Polls for one minute. A person can look again later for a slower request. */
export const PACE: PollPace = { pollMs: 1_000, polls: 60 };

/** Sends a person's request, and polls until it has a result. */
export function useRequest<W, R>(calls: RequestCalls<W, R>, pace: PollPace): RequestState<W, R> {
  const [asked, setAsked] = useState<WishState<W, R>>({ kind: 'nothing' });
  const latest = useRef(calls);
  latest.current = calls;
  const isGone = useIsGone();
  /**
   * Id of the request whose result the page waits for. It changes if a person closes the request or makes another
   * one.
   */
  const awaited = useRef<string>(undefined);

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
          latest.current.onAnswered(request.wish, result.result);
          return;
        }
        open = result;
        show({ kind: 'under-way', request, trouble: open.trouble });
        await pause(pace.pollMs);
      }
      show({ kind: 'slow', request: { ...request, isSent: open.isSent }, trouble: open.trouble });
    },
    [pace, isGone],
  );

  const dismiss = useCallback(() => {
    awaited.current = undefined;
    setAsked({ kind: 'nothing' });
  }, []);
  return {
    asked,
    dismiss,
    wish: (wish) => void follow({ id: newRequestId(), wish, isSent: false }),
    again: () => asked.kind === 'slow' && void follow(asked.request),
  };
}

/** Whether the page was left. */
export function useIsGone(): { readonly current: boolean } {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return isGone;
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
 * Sends the request until the installation has received it, then polls for its result. After a lost reply, the
 * request can have arrived and been charged. So it is sent again with the same id, which costs nothing more.
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

/** Creates the id that all repetitions of one request share. */
export function newRequestId(): string {
  const random = () => Math.random().toString(36).slice(2, 12);
  return `page-${Date.now().toString(36)}-${random()}${random()}`;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
