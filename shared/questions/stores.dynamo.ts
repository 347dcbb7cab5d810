import type { Clock, Digest } from '#shared/kernel';
import { openItems, type Storage } from '#shared/store';
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

export interface QuestionsSettings extends Storage {
  readonly clock: Clock;
  readonly digest: Digest;
}

/** Opens the stores of questions, answers and the people in the answers. Sends no question. */
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
    packing: settings.store.packing,
  };
}

/** Creates readers for open doubts, and for doubts that were booked as charged. */
export function createDoubtReaders(settings: Storage) {
  const items = openItems(settings, questionKind);
  return { openDoubts: () => readOpenDoubts(items), bookedDoubts: () => readBookedDoubts(items) };
}

export function createBreakerItems(settings: Storage) {
  return openItems(settings, breakersKind);
}

/** Opens the count of misses with unpublished wordings. */
export function createUnknownMisses(settings: Storage) {
  return openItems(settings, unknownMissesKind);
}

/** Opens the results of the last probe of the data service. */
export function createFindings(settings: Storage) {
  return openItems(settings, vendorFindingsKind);
}
