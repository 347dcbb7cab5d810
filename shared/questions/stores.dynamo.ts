import type { Clock, Digest } from '#shared/kernel';
import { brotliPacking } from '#shared/kernel/adapters';
import { openItems, type Storage } from '#shared/versioned-items/adapters';
import { readBookedDoubts, readOpenDoubts } from './booked-doubts.ts';
import { createDisclosures } from './people/disclosures.ts';
import { createSuppressionList } from './people/suppression-list.ts';
import {
  breakersKind,
  disclosureKind,
  questionKind,
  sideItemKind,
  suppressionKind,
  unknownMissesKind,
  vendorFindingsKind,
} from './stored-kinds.ts';

export interface QuestionsSettings extends Storage<'questions' | 'suppression'> {
  readonly clock: Clock;
  readonly digest: Digest;
}

/** What was asked and answered, and about whom; it asks no question. */
export function createQuestions(settings: QuestionsSettings) {
  const { clock, digest } = settings;
  const sideItems = openItems(settings, sideItemKind);
  return {
    items: openItems(settings, questionKind),
    sideItems,
    disclosures: createDisclosures({ items: openItems(settings, disclosureKind), sideItems, clock }),
    suppressionList: createSuppressionList({ items: openItems(settings, suppressionKind), clock }),
    clock,
    digest,
    packing: brotliPacking,
  };
}

/** Reads the doubts that are open, and those that were booked as charged. */
export function createDoubtReaders(settings: Storage<'questions'>) {
  const items = openItems(settings, questionKind);
  return { openDoubts: () => readOpenDoubts(items), bookedDoubts: () => readBookedDoubts(items) };
}

export function createBreakerItems(settings: Storage<'rateLimiter'>) {
  return openItems(settings, breakersKind);
}

/** Misses in words that are not published. */
export function createUnknownMisses(settings: Storage<'rateLimiter'>) {
  return openItems(settings, unknownMissesKind);
}

/** What a probe has learned of the data service. */
export function createFindings(settings: Storage<'rateLimiter'>) {
  return openItems(settings, vendorFindingsKind);
}
