import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { readBookedDoubts } from '#inside/questions/booked-doubts.ts';
import { createDisclosures } from '#inside/questions/people/disclosures.ts';
import { createSuppressionList } from '#inside/questions/people/suppression-list.ts';
import { readRate } from '#inside/rate-limiter/state.ts';
import { auditNext } from '#inside/records/audit.ts';
import { createCompanyClaims } from '#inside/records/company-claims.ts';
import { countWaiting, lastWaiting } from '#inside/records/count-waiting.ts';
import { createDays } from '#inside/records/day/days.ts';
import { measureIndexLag } from '#inside/records/index-lag.ts';
import { createJournal } from '#inside/records/journal.ts';
import { createOwnPortal } from '#inside/records/own-portal.ts';
import { pickWaiting } from '#inside/records/waiting-pass.ts';
import { createWriteBreakers } from '#inside/records/write-breaker.ts';
import { createReviews } from '#inside/review/reviews.ts';
import { createSpendBook } from '#inside/spend/spend-book.ts';
import { gatewayPolicy, REQUEST_TIMEOUT_MS } from '#shared/app';
import { verifyNewest } from '#shared/credit-ledger';
import { createHubSpotCrm } from '#shared/crm/adapters';
import { createDataServiceClient } from '#shared/data-service/adapters';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import {
  type Clock,
  correctedClock,
  type Digest,
  type Logger,
  type Random,
  type ReferenceClock,
} from '#shared/kernel';
import { brotliPacking, createDigest } from '#shared/kernel/adapters';
import { type Metrics, meterCalls, meterGateway, meterLedger, meterRecords } from '#shared/metrics';
import { auditDeletions, createForgetting, type DeletionAuditServices } from '#shared/privacy';
import {
  createAskGateway,
  createBreakers,
  type GatewayServices,
  type QuestionItem,
  readBreakers,
  readOpenDoubts,
} from '#shared/questions';
import { createKeyCheck, createPaidCalls } from '#shared/questions/adapters';
import { createRateLimiter } from '#shared/rate-limiter';
import type { RecordState } from '#shared/records';
import type { IndexedItems } from '#shared/store';
import type { Fuse } from './fuse.ts';
import { TOKEN } from './hubspot-portal.ts';
import type { Stores } from './stores.ts';

export const DATA_SERVICE_URL = 'https://data.example';
export const HUBSPOT_URL = 'https://hubspot.example';
const ACCOUNT = 'default';
/** One for all worlds of a process, because sweeps verify the same entries repeatedly. */
const DIGEST = remembering(createDigest('an installation secret of a test'));

export interface PartsWish {
  /** The process's name. */
  readonly worker: string;
  readonly stores: Stores;
  readonly fuse: Fuse;
  readonly policy: Policy;
  /** The data service's API key. */
  readonly apiKey?: string | undefined;
  readonly send: Send;
  readonly clock: Clock;
  /** Reports the time that all processes share. */
  readonly referenceClock: ReferenceClock;
  readonly random: Random;
  /** No metrics if absent. */
  readonly metrics: Metrics | undefined;
}

export type Services = ReturnType<typeof createServices>;

/** Creates the services of one process: the real clients, over stores that all processes share. */
export function createServices(given: PartsWish) {
  const clock = correctedClock(given.clock, given.referenceClock);
  const wish = { ...given, clock };
  const { stores, fuse, policy, random, metrics } = wish;
  const digest = DIGEST;
  const send: Send = (request) =>
    fuse.run(() => wish.send(request), request.url.startsWith(HUBSPOT_URL) ? 'hubspot' : 'data-service');
  const hubSpot = createHubSpotClient({ baseUrl: HUBSPOT_URL, accessToken: TOKEN, send, clock, random });
  const { budgets, people, timeZone } = policy;
  const store = fuse.guard(stores.ledger, 'books');
  const rules = { account: ACCOUNT, clock, random, digest, budgets, people, timeZone };
  const books = createLedger({ store, ...rules });
  const ledger = metrics ? meterLedger(books, metrics) : books;
  const questions: GatewayServices & { readonly items: IndexedItems<QuestionItem> } = {
    ...createAsking({ ...wish, send }),
    ...createPeople(wish),
    items: fuse.guard(stores.questions, 'marks'),
    ledger,
    clock,
    referenceClock: given.referenceClock,
    digest,
    newNonce: () => random().toString(36).slice(2, 10),
    packing: brotliPacking,
    policy: gatewayPolicy({ policy }),
  };
  const guarded = fuse.guard(stores.records);
  const records = metrics ? meterRecords(guarded, metrics) : guarded;
  const gateway = createAskGateway(questions);
  const journal = createJournal({ items: fuse.guard(stores.journal), clock });
  const reviews = reviewsOf(wish);
  const forgetting = createForgetting({ ...questions, records, journal, reviews });
  const crm = createHubSpotCrm({ client: hubSpot, clock });
  const pinned = fuse.guard(stores.portal);
  const portal = createOwnPortal({ items: pinned, account: hubSpot.accountDetails, clock });
  return {
    digest,
    hubSpot,
    ledger,
    questions,
    gateway: metrics ? meterGateway(gateway, { metrics, clock }) : gateway,
    crm,
    records,
    journal,
    reviews,
    writeBreakers: createWriteBreakers({ status: fuse.guard(stores.status), clock }),
    days: createDays({ items: fuse.guard(stores.days), clock, timeZone }),
    companyClaims: createCompanyClaims({ items: fuse.guard(stores.companyClaims), digest, clock }),
    forgetting,
    ...itemsOf(wish),
    rounds: createRounds(wish, { records, forgetting, crm, portal }),
    indexLagMs: () => measureIndexLag({ status: fuse.guard(stores.status), clock }),
    counted: () => lastWaiting(fuse.guard(stores.status)),
    ratePerMinute: () => readRate(stores.rateLimiter),
    checkBooks: () => verifyNewest(store, { account: ACCOUNT, digest }),
    portal,
    ledgerStore: store,
    spendBook: createSpendBook({
      items: fuse.guard(stores.spendMonths),
      status: fuse.guard(stores.status),
      store,
      account: ACCOUNT,
      clock,
    }),
  };
}

function reviewsOf({ stores, fuse, clock }: PartsWish) {
  const previews = fuse.guard(stores.previews);
  return createReviews({ items: fuse.guard(stores.reviews), previews, clock });
}

function createPeople({ stores, fuse, clock }: PartsWish) {
  const sideItems = fuse.guard(stores.sideItems);
  return {
    sideItems,
    disclosures: createDisclosures({ items: fuse.guard(stores.disclosures), sideItems, clock }),
    suppressionList: createSuppressionList({ items: fuse.guard(stores.suppression), clock }),
  };
}

function createRounds(
  { stores, fuse, clock }: PartsWish,
  services: Omit<DeletionAuditServices, 'status' | 'clock' | 'logger'>,
) {
  const passing = { ...services, status: fuse.guard(stores.status), clock };
  return {
    audit: () => auditNext(passing),
    count: () => countWaiting(passing),
    waiting: (isPicked: (state: RecordState) => boolean) => pickWaiting(passing, isPicked),
    deletions: (logger: Logger) => auditDeletions({ ...passing, logger }),
  };
}

/** Items that handlers use directly. */
function itemsOf({ stores, fuse }: PartsWish) {
  return {
    /** The breakers, for a process without a data service key. */
    storedBreakers: { read: () => readBreakers({ items: stores.breakers }) },
    openDoubts: () => readOpenDoubts(fuse.guard(stores.questions)),
    bookedDoubts: () => readBookedDoubts(fuse.guard(stores.questions)),
    backfills: fuse.guard(stores.backfills),
    members: fuse.guard(stores.members),
    requests: fuse.guard(stores.requests),
    homes: fuse.guard(stores.homes),
    policies: fuse.guard(stores.policies),
    status: fuse.guard(stores.status),
  };
}

function createAsking(wish: PartsWish) {
  const { worker, stores, fuse, clock, random, send, metrics } = wish;
  const { apiKey = 'sandbox-key' } = wish;
  const client = createDataServiceClient({
    baseUrl: DATA_SERVICE_URL,
    apiKey,
    send,
    timeoutMs: REQUEST_TIMEOUT_MS,
    clock,
    random,
  });
  const rateLimiter = createRateLimiter({
    items: fuse.guard(stores.rateLimiter),
    worker,
    clock,
    random,
  });
  const breakers = createBreakers({
    items: fuse.guard(stores.breakers),
    keyHash: `hash of ${apiKey}`,
    keyCheck: createKeyCheck({ client, clock }),
    rateLimiter,
    clock,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    testCreditsPerHour: wish.policy.testCreditsPerHour,
  });
  const calls = createPaidCalls({ client, clock });
  return { rateLimiter, breakers, calls: metrics ? meterCalls(calls, metrics) : calls };
}

const MOST_REMEMBERED = 2_000;

/** Caches digests, so that each text is digested once. The cache is bounded. */
function remembering({ keyed, sha256 }: Digest): Digest {
  return { keyed: remembered(keyed), sha256: remembered(sha256) };
}

function remembered(digestOf: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? digestOf(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, found);
    return found;
  };
}
