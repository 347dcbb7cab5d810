import type { Clock } from '#shared/kernel/clock.ts';
import type { Digest } from '#shared/kernel/digest.ts';
import { brotliPacking } from '#shared/kernel/packing.system.ts';
import { questionPlace, readBookedDoubts, readOpenDoubts } from '#shared/questions/booked-doubts.ts';
import { sideItemExpiry } from '#shared/questions/people/side-items.ts';
import { createSuppressionList } from '#shared/questions/people/suppression-list.ts';
import {
  breakerStateSchema,
  questionItemSchema,
  sideItemSchema,
  suppressionItemSchema,
} from '#shared/questions/schemas.ts';
import { questionExpiry } from '#shared/questions/stored-answers.ts';
import { storedRateLimiterSchema } from '#shared/rate-limiter/schemas.ts';
import { readRate } from '#shared/rate-limiter/state.ts';
import { createDynamoItems } from '#shared/versioned-items/store.dynamo.ts';
import { type Storage, stored } from './storage.aws.ts';

export interface QuestionsSettings extends Storage<'questions' | 'suppression'> {
  readonly clock: Clock;
  readonly digest: Digest;
}

/** What was asked and answered, and about whom; nobody is asked by it. */
export function createQuestions(settings: QuestionsSettings) {
  const { clock, digest } = settings;
  const sideItems = createDynamoItems({
    ...stored(settings, { table: 'questions', schema: sideItemSchema }),
    expiresAtMs: sideItemExpiry,
  });
  const suppression = createDynamoItems(
    stored(settings, { table: 'suppression', schema: suppressionItemSchema }),
  );
  return {
    items: createQuestionItems(settings),
    sideItems,
    suppressionList: createSuppressionList({ items: suppression, clock }),
    clock,
    digest,
    packing: brotliPacking,
  };
}

function createQuestionItems(settings: Storage<'questions'>) {
  return createDynamoItems({
    ...stored(settings, { table: 'questions', schema: questionItemSchema }),
    indexPosition: questionPlace,
    expiresAtMs: questionExpiry,
  });
}

/** Reads the doubts that are open, and those that were booked as charged. */
export function createDoubtReaders(settings: Storage<'questions'>) {
  const items = createQuestionItems(settings);
  return { openDoubts: () => readOpenDoubts(items), bookedDoubts: () => readBookedDoubts(items) };
}

/** For those who only want to know how fast it goes. */
export function createRateReader(settings: Storage<'rateLimiter'> & { readonly account: string }) {
  const items = createDynamoItems(
    stored(settings, { table: 'rateLimiter', schema: storedRateLimiterSchema }),
  );
  return () => readRate(items, settings.account);
}

export function createBreakerItems(settings: Storage<'rateLimiter'>) {
  return createDynamoItems(stored(settings, { table: 'rateLimiter', schema: breakerStateSchema }));
}
