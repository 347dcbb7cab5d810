import type { Clock, Digest } from '#shared/kernel';
import { brotliPacking } from '#shared/kernel/adapters';
import {
  breakersKind,
  createSuppressionList,
  questionKind,
  readBookedDoubts,
  readOpenDoubts,
  sideItemKind,
  suppressionKind,
} from '#shared/questions';
import { rateLimiterKind, readRate } from '#shared/rate-limiter';
import { openItems, type Storage } from './storage.aws.ts';

export interface QuestionsSettings extends Storage<'questions' | 'suppression'> {
  readonly clock: Clock;
  readonly digest: Digest;
}

/** What was asked and answered, and about whom; nobody is asked by it. */
export function createQuestions(settings: QuestionsSettings) {
  const { clock, digest } = settings;
  const sideItems = openItems(settings, sideItemKind);
  const suppression = openItems(settings, suppressionKind);
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
  return openItems(settings, questionKind);
}

/** Reads the doubts that are open, and those that were booked as charged. */
export function createDoubtReaders(settings: Storage<'questions'>) {
  const items = createQuestionItems(settings);
  return { openDoubts: () => readOpenDoubts(items), bookedDoubts: () => readBookedDoubts(items) };
}

/** For those who only want to know how fast it goes. */
export function createRateReader(settings: Storage<'rateLimiter'>) {
  const items = openItems(settings, rateLimiterKind);
  return () => readRate(items);
}

export function createBreakerItems(settings: Storage<'rateLimiter'>) {
  return openItems(settings, breakersKind);
}
