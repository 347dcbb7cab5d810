import {
  createLedger,
  createLedgerReader,
  createLedgerStore,
  joinReaders,
  verifyNewest,
} from '#shared/credit-ledger';
import { createHubSpotCrm } from '#shared/crm/adapters';
import type { Extension, SweepStep } from '#shared/enrichment';
import {
  backfillExtension,
  backfillKind,
  backfillReader,
  backfillStep,
  backfillWish,
  backfillWishes,
  backfillWriter,
} from '#shared/extensions/backfill';
import { applyWriter, archiveStep } from '#shared/extensions/policy-change';
import { acceptWish, previewWish, rejectWish, reviewWishes } from '#shared/extensions/review';
import { retentionStep, takeBackWishes, undoWish, wrongMatchWish } from '#shared/extensions/take-back';
import type { Policy } from '#shared/field-policy';
import { homeKind } from '#shared/home';
import type { Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { useOwnAddresses } from '#shared/identity';
import {
  type Clock,
  correctedClock,
  DAY_MS,
  type Digest,
  type Logger,
  type Random,
  type ReferenceClock,
  SECOND_MS,
} from '#shared/kernel';
import { sha256 } from '#shared/kernel/adapters';
import { type Metrics, meterGateway, meterLedger, meterRecords, meterVendor } from '#shared/metrics';
import { auditDeletions, createForgetting } from '#shared/privacy';
import {
  type AtVendor,
  breakersKind,
  createAskGateway,
  createBreakers,
  createDisclosures,
  createGatewayToAll,
  createLedgerOfAll,
  createMissCount,
  createSuppressionList,
  disclosureKind,
  type GatewayPolicy,
  type GatewayServices,
  questionKind,
  readBookedDoubts,
  readBreakers,
  readOpenDoubts,
  readSentEntries,
  type SweptQuestions,
  sideItemKind,
  suppressionKind,
  vendorFactsKind,
  withoutOldKey,
} from '#shared/questions';
import { createRateLimiter, rateLimiterKind, readRate } from '#shared/rate-limiter';
import {
  auditNext,
  companyClaimKind,
  countWaiting,
  createCompanyClaims,
  createDays,
  createJournal,
  createOwnPortal,
  createWriteBreakers,
  dayKind,
  journalKind,
  lastWaiting,
  measureIndexLag,
  type OwnPortal,
  pickWaiting,
  type RecordState,
  recordKind,
  statusKind,
} from '#shared/records';
import { requestKind, type WishHandler, type WishOf, type WishSchema } from '#shared/requests';
import { createReviews, previewKind, reviewKind } from '#shared/review';
import { type BackfillReader, createSpendBook, spendMonthKind } from '#shared/spend';
import { type IndexedItems, joinReads, type OpenItems, openItems, type Storage } from '#shared/store';
import { createTogether } from '#shared/store/adapters';
import type { BulkWriter } from '#shared/take-back';
import { VENDORS, type VendorOffer } from '#shared/vendor';
import { CLIENTS } from '#shared/vendor/adapters';

/** What every program gives. With it alone, a program opens the parts that need no key and no secret. */
export interface AppSettings extends Storage {
  readonly policy: Policy;
  readonly random: Random;
  /** If absent, no metrics are emitted. */
  readonly metrics?: Metrics | undefined;
  /** If absent, this machine's clock is trusted. */
  readonly referenceClock?: ReferenceClock | undefined;
  /** The HubSpot account of this installation. If absent, it is read from HubSpot at the first start. */
  readonly portalId?: string | undefined;
}

interface SecretSettings extends AppSettings {
  /** Keyed by the installation's secret. */
  readonly digest: Digest;
}

interface HubSpotSettings extends AppSettings {
  readonly send: Send;
  readonly hubSpot: { readonly baseUrl?: string | undefined; readonly accessToken: string };
}

interface DataServiceSettings extends SecretSettings {
  readonly send: Send;
  readonly dataService: VendorAccess;
  /** Access to each vendor but the first, by its name. */
  readonly otherVendors?: Readonly<Record<string, VendorAccess>> | undefined;
  readonly logger: Logger;
  /** Time limit of one request to the data service. If absent, the default. */
  readonly requestTimeoutMs?: number | undefined;
}

interface VendorAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** What a program gives that opens every part. */
export interface WholeSettings extends HubSpotSettings, DataServiceSettings {}

/**
 * Declares a part of the app. It is opened at its first use, once for each settings. Each part is a function of its own,
 * and its declaration has no side effect: so a bundler leaves out the parts that a Lambda does not name.
 */
// @__NO_SIDE_EFFECTS__
function part<S extends object, T>(open: (settings: S) => T): (settings: S) => T {
  const opened = new WeakMap<S, { readonly it: T }>();
  return (settings) => {
    const known = opened.get(settings) ?? { it: open(settings) };
    opened.set(settings, known);
    return known.it;
  };
}

/** Declares a part that each vendor has of its own. It is opened as `part` opens it. */
// @__NO_SIDE_EFFECTS__
function partAtVendor<S extends object, T>(
  openAt: (settings: S, vendor: VendorOffer) => T,
): (settings: S) => AtVendor<T> {
  return part((settings) => {
    const parts = new Map<VendorOffer, T>();
    return (vendor) => parts.get(vendor) ?? (parts.set(vendor, openAt(settings, vendor)).get(vendor) as T);
  });
}

/** The first vendor, which the pages and the commands show. */
const [FIRST, ...OTHERS] = VENDORS;

/** The store of all parts, so that reads and writes of different parts join. */
const joined = part(({ store, newId, clock, random }: AppSettings) =>
  createTogether(joinReads(store), { newId, clock, random }),
);

type KindOf<V> = Parameters<typeof openItems<V>>[1];

/** Opens the items of a kind, such as an extension's. */
export const open = part(
  (settings: AppSettings): OpenItems =>
    (kind) =>
      openItems({ ...settings, store: joined(settings) }, kind),
);

// @__NO_SIDE_EFFECTS__
function items<V>(kind: KindOf<V>): (settings: AppSettings) => IndexedItems<V> {
  return part((settings) => open(settings)(kind));
}

// The books.
const ledgerStoreAt = partAtVendor((settings: AppSettings, { mark }) =>
  createLedgerStore(joined(settings), mark),
);
export const ledgerStore = part((settings: AppSettings) => ledgerStoreAt(settings)(FIRST));
const bookServices = (settings: AppSettings, vendor: VendorOffer) => {
  const { store, clock, policy } = settings;
  const { budgets, people, timeZone } = policy;
  const account = `${store.owners.buyer}${vendor.mark}`;
  return { store: ledgerStoreAt(settings)(vendor), account, clock, budgets, people, timeZone };
};
/** The ledger for programs without the installation's secret. */
export const ledgerReader = part((settings: AppSettings) => {
  const readerAt = (vendor: VendorOffer) => createLedgerReader(bookServices(settings, vendor));
  return joinReaders([readerAt(FIRST), ...OTHERS.map(readerAt)]);
});
const ledgerAt = partAtVendor((settings: SecretSettings, vendor) => {
  const { random, digest, metrics } = settings;
  const books = createLedger({ ...bookServices(settings, vendor), random, digest });
  return metrics ? meterLedger(books, metrics) : books;
});
export const ledger = part((settings: SecretSettings) => createLedgerOfAll(ledgerAt(settings)));
export const checkBooks = part(
  (settings: AppSettings) => () => verifyNewest(ledgerStore(settings), { digest: { sha256 } }),
);
const spendMonths = items(spendMonthKind);
/** Positions of the regular work, and what it has reported. */
export const status = items(statusKind);
export const spendBook = part((settings: AppSettings) =>
  createSpendBook({
    items: spendMonths(settings),
    status: status(settings),
    store: ledgerStore(settings),
    clock: settings.clock,
  }),
);

// Questions, answers, and the people in them.
const questionItems = items(questionKind);
const sideItems = items(sideItemKind);
const disclosureItems = items(disclosureKind);
const suppressionItems = items(suppressionKind);
/** The stored questions, for programs that ask none. */
export const storedQuestions = part((settings: SecretSettings): SweptQuestions & ForgetParts => {
  const { store, clock, digest, referenceClock } = settings;
  const { owners } = store;
  return {
    items: questionItems(settings),
    together: together(settings),
    sideItems: sideItems(settings),
    owners,
    disclosures: createDisclosures({
      items: disclosureItems(settings),
      sideItems: sideItems(settings),
      owners,
      clock,
    }),
    suppressionList: createSuppressionList({ items: suppressionItems(settings), clock }),
    ledger: ledger(settings),
    packing: settings.store.packing,
    clock,
    digest,
    referenceClock,
  };
});
type ForgetParts = Pick<
  GatewayServices,
  'together' | 'sideItems' | 'owners' | 'disclosures' | 'suppressionList' | 'packing'
>;
export const openDoubts = part(
  (settings: AppSettings) => () =>
    readOpenDoubts({ items: questionItems(settings), owners: settings.store.owners }),
);
export const bookedDoubts = part((settings: AppSettings) => () => readBookedDoubts(questionItems(settings)));
export const sentEntries = part((settings: AppSettings) => () => readSentEntries(settings));
export const vendorFacts = items(vendorFactsKind);

// The data service. What asks for money is only here.
export const breakerItems = items(breakersKind);
const rateItems = items(rateLimiterKind);
/** The vendor's rate, requests a minute. */
export const ratePerMinute = part((settings: AppSettings) => () => readRate(rateItems(settings), FIRST));
/** The breakers for programs that do not know the key in use, with the stops of former keys. */
export const storedBreakers = part((settings: AppSettings) => ({
  read: () => readBreakers({ items: breakerItems(settings) }),
}));
/** The breakers for people, from programs that do not know the key in use. */
export const breakersInForce = part((settings: AppSettings) => ({
  read: async () => withoutOldKey(await storedBreakers(settings).read(), settings.clock.now()),
}));
/**
 * Length of a nonce: the first characters of an id. Nonces of the same millisecond must differ. They are short, because
 * the rate limiter's item stores them.
 */
const NONCE_CHARS = 13;
const rateLimiterAt = partAtVendor((settings: AppSettings, vendor) => {
  const { newId, clock, random } = settings;
  return createRateLimiter({
    vendor,
    items: rateItems(settings),
    worker: newId().slice(0, NONCE_CHARS),
    clock,
    random,
  });
});
export const rateLimiter = part((settings: AppSettings) => rateLimiterAt(settings)(FIRST));
const missCountAt = partAtVendor((settings: AppSettings, { mark }) =>
  createMissCount({ mark, items: vendorFacts(settings), clock: settings.clock }),
);
/** @throws Error if the settings lack the vendor. */
function accessTo(
  { dataService, otherVendors = {} }: Partial<Pick<DataServiceSettings, 'dataService' | 'otherVendors'>>,
  vendor: VendorOffer,
): VendorAccess {
  const access = vendor === FIRST ? dataService : otherVendors[vendor.name];
  if (!access)
    throw new Error(`Give the address and the key of ${vendor.label} in \`otherVendors.${vendor.name}\`.`);
  return access;
}
const vendorAt = partAtVendor((settings: DataServiceSettings, offer) => {
  const { send, clock, random, logger } = settings;
  const open = CLIENTS[offer.name];
  if (!open) throw new Error(`CLIENTS in shared/vendor/in-use has no vendor "${offer.name}".`);
  return open({
    ...accessTo(settings, offer),
    send,
    timeoutMs: gatewayPolicy(settings).requestTimeoutMs,
    clock,
    random,
    onUnknownMiss: missCountAt(settings)(offer).see,
    onDrift: ({ operation, field }) => logger.warn('schema-drift', { operation, drift: field }),
  });
});
export const vendor = part((settings: DataServiceSettings) => vendorAt(settings)(FIRST));
const breakersAt = partAtVendor((settings: DataServiceSettings, offer) => {
  const { clock, digest } = settings;
  const { apiKey, baseUrl } = accessTo(settings, offer);
  const { requestTimeoutMs, testCreditsPerHour } = gatewayPolicy(settings);
  return createBreakers({
    mark: offer.mark,
    items: breakerItems(settings),
    keyHash: digest.keyed(`api-key ${apiKey} ${baseUrl}`),
    vendor: vendorAt(settings)(offer),
    rateLimiter: rateLimiterAt(settings)(offer),
    clock,
    requestTimeoutMs,
    testCreditsPerHour,
  });
});
export const breakers = part((settings: DataServiceSettings) => breakersAt(settings)(FIRST));
const questionsAt = partAtVendor((settings: DataServiceSettings, offer): GatewayServices & SweptQuestions => {
  const { newId, metrics } = settings;
  const client = vendorAt(settings)(offer);
  return {
    ...storedQuestions(settings),
    rateLimiter: rateLimiterAt(settings)(offer),
    vendor: metrics ? meterVendor(client, metrics) : client,
    breakers: breakersAt(settings)(offer),
    newNonce: () => newId().slice(0, NONCE_CHARS),
    policy: gatewayPolicy(settings),
  };
});
export const questions = part((settings: DataServiceSettings) => questionsAt(settings)(FIRST));
const gatewayAt = partAtVendor((settings: DataServiceSettings, offer) =>
  missCountAt(settings)(offer).counting(createAskGateway(questionsAt(settings)(offer))),
);
export const gateway = part((settings: DataServiceSettings) => {
  const { clock, metrics } = settings;
  const asking = createGatewayToAll(gatewayAt(settings));
  return metrics ? meterGateway(asking, { metrics, clock }) : asking;
});

// HubSpot.
export const hubSpot = part((settings: HubSpotSettings) => {
  const { policy, send, clock, random } = settings;
  const { accessToken, baseUrl } = settings.hubSpot;
  return createHubSpotClient({
    accessToken,
    ...(baseUrl && { baseUrl }),
    dailyReserve: policy.hubSpotDailyReserve,
    send,
    clock,
    random,
  });
});
export const crm = part((settings: HubSpotSettings) =>
  createHubSpotCrm({ client: hubSpot(settings), clock: settings.clock }),
);
export const portal = part((settings: HubSpotSettings) => {
  const { portalId: configured, clock } = settings;
  const account = hubSpot(settings).accountDetails;
  return createOwnPortal({ status: status(settings), configured, account, clock });
});
/** Our HubSpot account for programs without a token. They cannot look up the account. */
export const knownPortal = part((settings: AppSettings): Pick<OwnPortal, 'known'> => {
  const { portalId: configured, clock } = settings;
  const account = () => Promise.reject(new Error('Only a program with a token learns the account.'));
  return createOwnPortal({ status: status(settings), configured, account, clock });
});

// Records, and what is known about them.
const recordItems = items(recordKind);
export const records = part((settings: AppSettings) => {
  const { metrics } = settings;
  const opened = recordItems(settings);
  return metrics ? meterRecords(opened, metrics) : opened;
});
const journalItems = items(journalKind);
export const journal = part((settings: AppSettings) =>
  createJournal({ items: journalItems(settings), clock: settings.clock }),
);
const reviewItems = items(reviewKind);
const previews = items(previewKind);
export const reviews = part((settings: AppSettings) =>
  createReviews({ items: reviewItems(settings), previews: previews(settings), clock: settings.clock }),
);
export const forgetting = part((settings: SecretSettings) =>
  createForgetting({
    ...storedQuestions(settings),
    records: records(settings),
    journal: journal(settings),
    reviews: reviews(settings),
  }),
);
export const writeBreakers = part((settings: AppSettings) =>
  createWriteBreakers({ status: status(settings), clock: settings.clock }),
);
const dayItems = items(dayKind);
/** The yields and stops of each day. */
export const days = part((settings: AppSettings) => {
  const { clock, policy } = settings;
  return createDays({ items: dayItems(settings), clock, timeZone: policy.timeZone });
});
const claimItems = items(companyClaimKind);
export const companyClaims = part((settings: SecretSettings) => {
  const { digest, clock } = settings;
  return createCompanyClaims({ items: claimItems(settings), digest, clock });
});
/** Measures the lag of the record index. */
export const indexLagMs = part(
  (settings: AppSettings) => () => measureIndexLag({ status: status(settings), clock: settings.clock }),
);

// Passes over all records.
/** Reads the latest count of waiting records. */
export const lastCount = part((settings: AppSettings) => () => lastWaiting(status(settings)));
export const rounds = part((settings: HubSpotSettings & SecretSettings) => {
  const common = { records: records(settings), status: status(settings), clock: settings.clock };
  const audited = { forgetting: forgetting(settings), crm: crm(settings), portal: portal(settings) };
  return {
    audit: () => auditNext(common),
    count: () => countWaiting(common),
    waiting: (isPicked: (state: RecordState) => boolean) => pickWaiting(common, isPicked),
    deletions: (logger: Logger) => auditDeletions({ ...common, ...audited, logger }),
  };
});

// Requests of people and pages.
export const requests = items(requestKind);
export const homes = items(homeKind);

// The features that hang on the core, in a list for each point, in the order in which it asks them.
/**
 * Declares a list. Its entries are functions, so that a bundler leaves out the lists that a Lambda does not name, with
 * the features in them.
 */
// @__NO_SIDE_EFFECTS__
function hung<T>(
  ...parts: readonly ((given: { readonly open: OpenItems; readonly clock: Clock }) => T)[]
): (settings: AppSettings) => readonly T[] {
  return part((settings) => {
    const given = { open: open(settings), clock: settings.clock };
    return parts.map((each) => each(given));
  });
}
/** Asked by each run. */
export const extensions = hung<Extension>(backfillExtension);
/** Schemas of people's requests to the features, by the page that sends them. */
export const WISH_SCHEMAS = {
  card: [undoWish, wrongMatchWish, previewWish, acceptWish, rejectWish],
  home: [backfillWish],
} as const satisfies Readonly<Record<'card' | 'home', readonly WishSchema[]>>;
/** A person's request to a feature, from a page. */
export type PageWish = WishOf<(typeof WISH_SCHEMAS)['card' | 'home'][number]>;
/** Handlers of these requests. */
const wishHandlers = hung<readonly WishHandler[]>(takeBackWishes, reviewWishes, backfillWishes);
export const wishes = part((settings: AppSettings) => wishHandlers(settings).flat());
/** Steps of a sweep. */
export const sweepSteps = hung<SweepStep>(archiveStep, backfillStep, retentionStep);
/** Writers that an undo can name, stop and take back. */
export const bulkWriters = part((settings: AppSettings): readonly BulkWriter[] => {
  const given = { open: open(settings), clock: settings.clock, ledger: ledgerReader(settings) };
  return [backfillWriter, applyWriter].map((each) => each(given));
});
/** Backfills, for the pages. */
export const backfillReaders = hung<BackfillReader>(backfillReader);
/** Kinds of the features that the spend page lists, and that both pages read. */
export const SHOWN_KINDS = [backfillKind] as const;

/** The parts that the spend page reads. They need no key and no secret. */
export const SPEND_PAGE_PARTS = {
  ledger: ledgerReader,
  ledgerStore,
  spendBook,
  records,
  bookedDoubts,
  counted: lastCount,
  backfillReaders,
  days,
  breakers: breakersInForce,
  writeBreakers,
  checkBooks,
  portal: knownPortal,
};

/** Writes of one work are one transaction. */
export const together = part((settings: AppSettings) => joined(settings).together);

const ALL = {
  together,
  digest: ({ digest }: SecretSettings) => digest,
  ledgerStore,
  ledger,
  checkBooks,
  spendBook,
  openDoubts,
  bookedDoubts,
  sentEntries,
  vendorFacts,
  ratePerMinute,
  storedBreakers,
  breakersInForce,
  rateLimiter,
  vendor,
  breakers,
  questions,
  gateway,
  hubSpot,
  crm,
  portal,
  records,
  journal,
  reviews,
  forgetting,
  writeBreakers,
  days,
  companyClaims,
  indexLagMs,
  counted: lastCount,
  rounds,
  status,
  requests,
  homes,
  open,
  extensions,
  wishes,
  wishSchemas: () => WISH_SCHEMAS,
  sweepSteps,
  bulkWriters,
  backfillReaders,
};

export type App = Opened<typeof ALL>;

/**
 * Opens the whole app for a program in one piece. Sends no request, and creates each part at its first use. Its clock is
 * the store's or the servers' while this machine's is wrong.
 */
export function openApp(given: WholeSettings): App {
  const clock = correctedClock(given.clock, given.referenceClock);
  return openParts({ ...given, clock }, ALL);
}

type Opened<P> = { readonly [N in keyof P]: P[N] extends (settings: never) => infer T ? T : never };

/** Opens the named parts of the app, each at its first use. The types refuse a part that needs more settings. */
export function openParts<
  S extends AppSettings,
  P extends Readonly<Record<string, (settings: S) => unknown>>,
>(settings: S, parts: P): Opened<P> {
  useOwnAddresses(settings.policy.addresses);
  // Otherwise a vendor without access would fail at its first question.
  const access: S & Partial<DataServiceSettings> = settings;
  if (access.dataService) for (const vendor of VENDORS) accessTo(access, vendor);
  const opened = {};
  for (const [name, open] of Object.entries(parts))
    Object.defineProperty(opened, name, { enumerable: true, get: () => open(settings) });
  return opened as Opened<P>;
}

/** Timeout of a request to the data service: ten times its average of about three seconds. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/**
 * How long the result of a search is reused. A person requests a list to see current data, so on the next day the
 * search is sent again.
 */
const SEARCH_FRESHNESS_MS = DAY_MS;

function gatewayPolicy({
  policy,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: Pick<DataServiceSettings, 'policy' | 'requestTimeoutMs'>): GatewayPolicy {
  const { freshness, noMatchCost, emptySearchCost, noMatchRetryDays, testCreditsPerHour } = policy;
  return {
    requestTimeoutMs,
    noMatchCost,
    emptySearchCost,
    testCreditsPerHour,
    freshnessMs: {
      person: freshness.contactsDays * DAY_MS,
      company: freshness.companiesDays * DAY_MS,
      search: SEARCH_FRESHNESS_MS,
    },
    noMatchRetryMs: noMatchRetryDays.map((days) => days * DAY_MS),
  };
}
