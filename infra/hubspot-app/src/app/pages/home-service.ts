import type { HomeRequest } from '../../../../../functions/serve-hubspot/schemas.ts';
import type { HomeView } from '../../../../../shared/home/index.ts';
import {
  ask,
  type CardRecord,
  type CardReply,
  call,
  type ExtensionWish,
  type FindingWish,
  type Wished,
} from '../cards/service.ts';

/** These types are the installation's own. Times in epoch milliseconds, credits in whole numbers, rates from 0 to 1. */
export type HomeData = HomeView;
/** A situation that needs a person's decision. */
export type Need = HomeData['needs'][number];
export type ReviewItem = HomeData['review']['items'][number];
export type Waiting = HomeData['waiting'][number];
export type BackfillProgress = HomeData['backfills'][number];
export type Budget = HomeData['spend']['budgets'][number];
export type Rule = HomeData['policy']['rules'][number];
export type LastLookup = HomeData['activity'][number];

/** A decision about the installation. */
export type HomeWish = Wished<HomeRequest> | ExtensionWish<'backfill'>;

/** A decision about a finding of a record. */
export interface ReviewWish {
  readonly record: CardRecord;
  readonly wish: FindingWish;
}

/** Reads the page's data. @returns `undefined` before the first sweep. @throws Error like `call`. */
export async function readHome(): Promise<HomeData | undefined> {
  return (await call<{ readonly view?: HomeData }>('home')).view;
}

/** Reads the reply to a decision. @returns `undefined` while there is none. @throws Error like `call`. */
export async function readDecision(requestId: string): Promise<CardReply | undefined> {
  return (await call<{ readonly reply?: CardReply }>(`home?request=${requestId}`)).reply;
}

/** Sends a decision. A repetition with the same id has no effect. @throws Error like `call`. */
export async function sendDecision(id: string, wish: HomeWish | ReviewWish): Promise<void> {
  if ('kind' in wish) await call('home/requests', { id, ...wish });
  else await ask(wish.record, id, wish.wish);
}
