import { openItems, type Storage } from '#shared/store';
import { createReviews } from './reviews.ts';
import { previewKind, reviewKind } from './stored-kinds.ts';

/** Opens the findings, which are kept as long as the journal. */
export function createDynamoReviews(settings: Storage) {
  const previews = openItems(settings, previewKind);
  return createReviews({ items: openItems(settings, reviewKind), previews, clock: settings.clock });
}
