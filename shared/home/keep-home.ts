import { daysToPay } from '#shared/credit-ledger';
import type { Crm } from '#shared/crm';
import {
  type Backfill,
  type BackfillItems,
  backfillKind,
  isOldQuote,
  priceOfStep,
  summaryOf,
} from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { type Clock, HOUR_MS, MINUTE_MS, UpstreamError } from '#shared/kernel';
import { countDueNotices } from '#shared/privacy';
import type { StoredDoubt } from '#shared/questions';
import type { Days } from '#shared/records';
import type { ReviewPage, Reviews } from '#shared/review';
import { type ReportSources, readCharges, readReport } from '#shared/spend';
import { change, type VersionedItems } from '#shared/store';
import { homeView, MAX_ACTIVITY, MAX_REVIEW_ITEMS, type WaitingBackfill } from './home-view.ts';
import type { HomeView } from './schemas.ts';
import { homeKind } from './stored-kinds.ts';

export type HomeItems = VersionedItems<HomeView>;

type ChargeSources = Parameters<typeof readCharges>[0];

export interface HomeServices extends ReportSources {
  readonly homes: HomeItems;
  readonly reviews: Pick<Reviews, 'page'>;
  readonly openDoubts: () => Promise<readonly StoredDoubt[]>;
  readonly backfills: BackfillItems['backfills'];
  readonly crm: Pick<Crm, 'list' | 'definitions'>;
  readonly ledgerStore: ChargeSources['ledgerStore'];
  readonly ledger: ChargeSources['ledger'];
  readonly spendBook: ChargeSources['spendBook'];
  /** The present stops are added to today's item. */
  readonly days: Pick<Days, 'addStops' | 'read'>;
  readonly policy: Policy;
  /** Highest price of one record, by the policy. */
  readonly dearestCredits: number;
  readonly clock: Clock;
}

/** Age at which the page is renewed. A renewal reads all waiting records, so it is not done with every sweep. */
const EVERY_MS = 5 * MINUTE_MS;

/**
 * Stores the home page again if it is five minutes old, or if a person has decided something. Adds the present stops to
 * today's item.
 */
export async function keepHome(services: HomeServices): Promise<void> {
  const { homes, clock, stack, policy, dearestCredits } = services;
  const key = homeKind.key();
  const known = (await homes.read(key))?.value;
  if (known && !known.isOutdated && clock.now() - known.atMs < EVERY_MS) return;
  const report = await readReport({ ...services, days: undefined });
  await services.days.addStops(report.stops);
  const [reviews, read, doubts, backfills, notices] = await Promise.all([
    mostSeriousReviews(services.reviews),
    readCharges(services, {}, MAX_ACTIVITY),
    services.openDoubts(),
    waitingBackfills(services),
    dueNotices(services, known?.notices),
  ]);
  const charges = read.kind === 'charges' ? read.page.charges : [];
  const { doubtsChargedAfterHours } = policy;
  const input = { report, reviews, charges, doubts, backfills, notices, dearestCredits, stack };
  const value = homeView({ ...input, doubtsChargedAfterHours });
  await change(homes, { key, kind: 'home', clock }, (now) => {
    // If a person decided something during the reads, the view may not show it. So the view stays outdated.
    const isOutdated = now?.isOutdated === true && known?.isOutdated !== true;
    return { value: isOutdated ? { ...value, isOutdated } : value };
  });
}

/** Reads on until enough findings are found or no page is left, because a page before the last one can be empty. */
async function mostSeriousReviews(reviews: Pick<Reviews, 'page'>): Promise<ReviewPage> {
  const values: ReviewPage['values'][number][] = [];
  let next: string | undefined;
  do {
    const page: ReviewPage = await reviews.page({ after: next });
    values.push(...page.values);
    next = page.next;
  } while (next !== undefined && values.length < MAX_REVIEW_ITEMS);
  return { values, ...(next !== undefined && { next }) };
}

/** Number of backfills that are read, newest first. A person decides about an older backfill with a command. */
const READ_BACKFILLS = 50;

async function waitingBackfills({ backfills, ledger, clock }: HomeServices): Promise<WaitingBackfill[]> {
  const partition = backfillKind.partition('backfills');
  const all = await backfills.list({ partition, limit: READ_BACKFILLS, newestFirst: true });
  const waiting = all.filter((backfill) => waitsForPerson(backfill, clock.now()));
  if (waiting.length === 0) return [];
  const pace = (await ledger.now()).pace({ purpose: 'backfill', amountCredits: 1 });
  return waiting.map((backfill) => {
    const { expected, atMost = 0 } = backfill.quote ?? {};
    const days = daysToPay(expected ?? atMost, pace);
    return { ...summaryOf(backfill), maxCredits: priceOfStep(backfill), days };
  });
}

function waitsForPerson(backfill: Backfill, nowMs: number): boolean {
  const { state, strata } = backfill;
  if (state === 'quoted') return strata.length > 0 && !isOldQuote(backfill, nowMs);
  return state === 'approval' || state === 'paused';
}

/** Counts the due notices at most once an hour, because a search counts against the HubSpot account's limit. */
async function dueNotices(
  { crm, clock }: HomeServices,
  known: HomeView['notices'],
): Promise<NonNullable<HomeView['notices']>> {
  const nowMs = clock.now();
  if (known && nowMs < known.countedAtMs + HOUR_MS) return known;
  try {
    return { due: await countDueNotices(crm, nowMs), countedAtMs: nowMs };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // People need the page most while HubSpot fails. The next page counts the notices again.
    return known ?? { due: 0, countedAtMs: 0 };
  }
}
