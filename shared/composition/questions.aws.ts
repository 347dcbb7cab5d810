import type { Clock, Digest } from '#shared/kernel';
import { brotliPacking } from '#shared/kernel/adapters';
import {
  breakerStateSchema,
  createSuppressionList,
  questionExpiry,
  questionItemSchema,
  questionPlace,
  readBookedDoubts,
  readOpenDoubts,
  sideItemExpiry,
  sideItemSchema,
} from '#shared/questions';
import { readRate, storedRateLimiterSchema } from '#shared/rate-limiter';
import { createDynamoItems } from '#shared/versioned-items/adapters';
import { type Storage, stored } from './storage.aws.ts';

export interface QuestionsSettings extends Storage<'questions'> {
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
  return {
    items: createQuestionItems(settings),
    sideItems,
    suppressionList: createSuppressionList({ sideItems, clock }),
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
