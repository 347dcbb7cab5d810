import { hubspot } from '@hubspot/ui-extensions';
import type { HomeRequest } from '../../../../../functions/serve-hubspot/schemas.ts';
import type { HomeView } from '../../../../../shared/home/index.ts';
import { ADDRESS } from '../cards/address.ts';
import {
  type CardRecord,
  type CardReply,
  type ExtensionWish,
  type FindingWish,
  readReply,
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

const TIMEOUT_MS = 15_000;

/**
 * Reads the page's data.
 * @returns `undefined` before the first sweep.
 * @throws Error with a message for a person.
 */
export async function readHome(): Promise<HomeData | undefined> {
  const response = await hubspot.fetch(`${ADDRESS}/home`, { method: 'GET', timeout: TIMEOUT_MS });
  return (await readReply<{ readonly view?: HomeData }>(response)).view;
}

/**
 * Reads the reply to a decision.
 * @returns `undefined` while there is none.
 * @throws Error like `readHome`.
 */
export async function readDecision(requestId: string): Promise<CardReply | undefined> {
  const url = `${ADDRESS}/home?request=${requestId}`;
  const response = await hubspot.fetch(url, { method: 'GET', timeout: TIMEOUT_MS });
  return (await readReply<{ readonly reply?: CardReply }>(response)).reply;
}

/**
 * Sends a decision. A repetition with the same id has no effect.
 * @throws Error like `readHome`. `isServiceRefusal` recognises a refusal.
 */
export async function sendDecision(id: string, wish: HomeWish | ReviewWish): Promise<void> {
  const [path, body] =
    'kind' in wish
      ? ['home/requests', { id, ...wish }]
      : [`records/${wish.record.objectType}/${wish.record.id}/requests`, { id, ...wish.wish }];
  await readReply(await hubspot.fetch(`${ADDRESS}/${path}`, { method: 'POST', timeout: TIMEOUT_MS, body }));
}
