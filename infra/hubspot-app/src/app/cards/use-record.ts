import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestResult } from './answer.tsx';
import {
  ask,
  type CardAnswer,
  type CardQuote,
  type CardRecord,
  type CardStanding,
  type CardView,
  messageOf,
  show,
  type Wish,
} from './service.ts';
import { type PollPace, type RequestState, useIsGone, useRequest } from './use-request.ts';

export interface CardState extends Omit<RequestState<Wish, RequestResult>, 'again'> {
  /** Absent before the first answer. */
  readonly view: CardView | undefined;
  /** The price of a lookup; absent until it is known. */
  readonly quote: CardQuote | undefined;
  /** Why the installation did not answer. */
  readonly failure: string | undefined;
  /** Reads the record again. If a request was slow, polls for it again. */
  readonly look: () => void;
}

type Quoting = { readonly kind: 'quote' };

/** Interval at which the card looks while a run is under way. */
const RUN_LOOK_MS = 5_000;

/** Reads the record and the price of a lookup, sends a person's requests, and polls until they are done. */
export function useRecord(record: CardRecord, onChange: () => void, pace: PollPace): CardState {
  const [view, setView] = useState<CardView>();
  const [failure, setFailure] = useState<string>();
  const isGone = useIsGone();
  const { objectType, id } = record;

  const readView = useCallback(
    async (requestId?: string): Promise<CardAnswer> => {
      const shown = await show({ objectType, id }, requestId);
      if (!isGone.current) setView(shown.view);
      return shown;
    },
    [objectType, id, isGone],
  );
  const look = useCallback(() => {
    setFailure(undefined);
    readView().catch((error: unknown) => setFailure(messageOf(error)));
  }, [readView]);
  useEffect(look, [look]);
  const isRunning = view?.standing.kind === 'under-way' || view?.isQueued === true;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(look, RUN_LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, look]);

  const poll = async (requestId: string) => resultOf(await readView(requestId));
  const send = (requestId: string, wish: Wish | Quoting) => ask({ objectType, id }, requestId, wish);
  const pricing = useRequest<Quoting, RequestResult>({ send, poll, onAnswered: () => undefined }, pace);
  const price = useRef(pricing.wish);
  price.current = pricing.wish;
  // The price changes with each end of a run, also of one that ended between two looks.
  const pricedAt = view && !isRunning ? lastEndOf(view.standing) : undefined;
  useEffect(() => {
    if (pricedAt !== undefined) price.current({ kind: 'quote' });
  }, [pricedAt]);

  const calls = {
    send,
    poll,
    onAnswered: ({ kind }: Wish) => {
      if (kind === 'preview') return;
      onChange();
      price.current({ kind: 'quote' });
    },
  };
  const { asked, wish, again, dismiss } = useRequest<Wish, RequestResult>(calls, pace);
  const priced = pricing.asked.kind === 'answered' ? pricing.asked.result.reply : undefined;
  const quote = priced?.kind === 'quoted' ? priced.quote : undefined;
  return { view, quote, failure, asked, wish, dismiss, look: asked.kind === 'slow' ? again : look };
}

/** Identifies the end of the record's last run; `undefined` if the record has no price. */
function lastEndOf(standing: CardStanding): string | undefined {
  if (standing.kind === 'forgotten') return undefined;
  return standing.kind === 'ended' ? `ended ${standing.outcome.atMs}` : standing.kind;
}

/** The result of the request that the card asked about; `undefined` while there is none. */
export function resultOf({ progress }: CardAnswer): RequestResult | undefined {
  const { standing, reply } = progress ?? {};
  const isDone = reply !== undefined || (standing !== undefined && standing.kind !== 'under-way');
  return isDone ? progress : undefined;
}
