import { type Clock, MINUTE_MS } from '#shared/kernel';
import type { ReviewPage, Reviews } from '#shared/review';
import { type ReportSources, readCharges, readReport } from '#shared/spend';
import { change, type VersionedItems } from '#shared/versioned-items';
import { homeView, MAX_ACTIVITY, MAX_REVIEW_ITEMS } from './home-view.ts';
import type { HomeView } from './schemas.ts';
import { homeKind } from './stored-kinds.ts';

export type HomeItems = VersionedItems<HomeView>;

type ChargeSources = Parameters<typeof readCharges>[0];

export interface HomeServices extends ReportSources {
  readonly homes: HomeItems;
  readonly reviews: Pick<Reviews, 'page'>;
  readonly ledgerStore: ChargeSources['ledgerStore'];
  readonly ledger: ChargeSources['ledger'];
  readonly spendBook: ChargeSources['spendBook'];
  /** Hours after which the policy counts a doubt as charged. */
  readonly doubtsChargedAfterHours?: number | undefined;
  readonly clock: Clock;
}

/** Counting the waiting records reads them: a page about them need not be newer. */
const EVERY_MS = 5 * MINUTE_MS;

/** Stores the home page again once it is five minutes old. */
export async function keepHome(services: HomeServices): Promise<void> {
  const { homes, clock, stack, doubtsChargedAfterHours } = services;
  const key = homeKind.key();
  const known = (await homes.read(key))?.value;
  if (known && clock.now() - known.atMs < EVERY_MS) return;
  const report = await readReport(services);
  const reviews = await gravestReviews(services.reviews);
  const read = await readCharges(services, {}, MAX_ACTIVITY);
  const charges = read.kind === 'charges' ? read.page.charges : [];
  const value = homeView({ report, reviews, charges, stack, doubtsChargedAfterHours });
  await change(homes, { key, kind: 'home', clock }, () => ({ value }));
}

/** A page may be empty before the last. */
async function gravestReviews(reviews: Pick<Reviews, 'page'>): Promise<ReviewPage> {
  const values: ReviewPage['values'][number][] = [];
  let next: string | undefined;
  do {
    const page: ReviewPage = await reviews.page({ after: next });
    values.push(...page.values);
    next = page.next;
  } while (next !== undefined && values.length < MAX_REVIEW_ITEMS);
  return { values, ...(next !== undefined && { next }) };
}
