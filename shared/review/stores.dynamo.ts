import { openItems, type Storage } from '#shared/versioned-items/adapters';
import { createReviews } from './reviews.ts';
import { reviewKind } from './stored-kinds.ts';

/** Findings are kept as long as the journal. */
export function createDynamoReviews(settings: Storage<'records'>) {
  return createReviews({ items: openItems(settings, reviewKind), clock: settings.clock });
}
