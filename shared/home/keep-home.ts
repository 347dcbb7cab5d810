import { type Crm, nameOfKey, recordKey } from '#shared/crm';
import { dearestCredits } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { type Clock, dayOf, daysUpTo, HOUR_MS, MINUTE_MS, UpstreamError } from '#shared/kernel';
import { countDueNotices } from '#shared/privacy';
import type { StoredDoubt } from '#shared/questions';
import {
  type Days,
  type NamedDay,
  queuePlace,
  type RecordItems,
  type RecordState,
  recordKind,
  type SeenStop,
  waitNow,
} from '#shared/records';
import { type RequestItems, readClaims } from '#shared/requests';
import type { ReviewPage, Reviews } from '#shared/review';
import {
  type BackfillReader,
  type OpenBackfill,
  type ReportSources,
  readCharges,
  readReport,
  type SpendReport,
  type Stop,
} from '#shared/spend';
import { change, type VersionedItems } from '#shared/store';
import {
  homeView,
  type LeadWaits,
  MAX_ACTIVITY,
  MAX_CLAIMS,
  MAX_REVIEW_ITEMS,
  type RuleInput,
} from './home-view.ts';
import type { HomeView } from './schemas.ts';
import { homeKind } from './stored-kinds.ts';

export type HomeItems = VersionedItems<HomeView>;

type ChargeSources = Parameters<typeof readCharges>[0];
type Waiting = NonNullable<ReportSources['waiting']>;
type StopSources = NonNullable<ReportSources['stops']>;

/** Parts of a program that the home page shows. */
export interface HomeServices extends Omit<ReportSources, 'timeZone' | 'waiting' | 'stops'> {
  readonly homes: HomeItems;
  readonly reviews: Pick<Reviews, 'page'>;
  readonly openDoubts: () => Promise<readonly StoredDoubt[]>;
  readonly backfillReaders: readonly BackfillReader[];
  readonly requests: Pick<RequestItems, 'list'>;
  readonly crm: Pick<Crm, 'list' | 'definitions'>;
  readonly ledgerStore: ChargeSources['ledgerStore'];
  readonly ledger: ChargeSources['ledger'];
  readonly spendBook: ChargeSources['spendBook'];
  /** The present stops are added to today's item. */
  readonly days: Pick<Days, 'addStops' | 'read'>;
  readonly records: Waiting['records'] & Pick<RecordItems, 'read'>;
  readonly counted: Waiting['counted'];
  /** The breakers as people see them. */
  readonly breakersInForce: StopSources['breakers'];
  readonly writeBreakers: StopSources['writeBreakers'];
  readonly checkBooks: StopSources['checkBooks'];
  readonly policy: Policy;
  readonly clock: Clock;
}

/** Age at which the sweep renews the page. A renewal reads all waiting records, so it is not done with every sweep. */
const EVERY_MS = 5 * MINUTE_MS;

/** Stores the home page again if it is five minutes old. */
export async function keepHome(services: HomeServices): Promise<void> {
  const known = (await services.homes.read(homeKind.key()))?.value;
  if (!known || services.clock.now() - known.atMs >= EVERY_MS) await renewHome(services);
}

/** Days whose figures the page shows for each rule. */
const RULE_DAYS = 30;

/** Stores the home page again. Adds the present stops to today's item. */
export async function renewHome(parts: HomeServices): Promise<void> {
  const { homes, clock, policy, records, counted, breakersInForce: breakers } = parts;
  const { timeZone } = policy;
  const stops = { breakers, writeBreakers: parts.writeBreakers, checkBooks: parts.checkBooks };
  const services = { ...parts, timeZone, waiting: { records, counted }, stops };
  const key = homeKind.key();
  const known = (await homes.read(key))?.value;
  const lastDays = daysUpTo(dayOf(clock.now(), timeZone), RULE_DAYS);
  const picked = { from: lastDays.at(0) ?? '', to: lastDays.at(-1) ?? '' };
  const report = await readReport({ ...services, days: undefined }, picked);
  await services.days.addStops(await withLeads(services, report));
  const days = await services.days.read(lastDays);
  const [reviews, read, doubts, backfills, notices, waits, definitions, claims] = await Promise.all([
    mostSeriousReviews(services.reviews),
    readCharges(services, {}, MAX_ACTIVITY),
    services.openDoubts(),
    openBackfills(services),
    dueNotices(services, known?.notices),
    leadWaits(services, days),
    definitionsNow(services),
    readClaims(services.requests, MAX_CLAIMS),
  ]);
  const charges = read.kind === 'charges' ? read.page.charges : [];
  const input = { report, reviews, charges, doubts, backfills, notices, days, waits, definitions, claims };
  const value = homeView({ ...services, ...input });
  // A renewal that began later has read everything that this one has read.
  await change(homes, { key, kind: 'home', clock }, (now) => ({
    value: now && now.atMs > value.atMs ? undefined : value,
  }));
}

/** Number of waiting leads that are read from each place. A larger number does not change what a person does. */
const MAX_LEADS = 100;

/** Adds to each stop the leads that wait because of it, and the budget that would be enough for them. */
async function withLeads(
  { records, policy }: HomeServices,
  { stops, waiting: summary, budgets, generatedAtMs: toMs }: SpendReport,
): Promise<readonly SeenStop[]> {
  if (stops.length === 0) return [];
  const [postponed = [], inQueue = []] = await Promise.all(
    (['waiting-live', queuePlace('live')] as const).map((place) =>
      records.list({ partition: recordKind.partition(place), limit: MAX_LEADS }),
    ),
  );
  const isStopped = stops.some(({ kind }) => kind === 'stopped-by-person');
  const queued = summary?.inTurn.find(({ purpose }) => purpose === 'live');
  const queuedFor = queued?.reason ?? (queued?.refusal && 'budget');
  const priceOf = ({ waiting }: RecordState) =>
    Number(waiting?.params?.['neededCredits'] ?? dearestCredits(policy));
  return stops.map((stop) => {
    const reason = WAIT_REASONS[stop.kind] ?? stop.params?.['reason'] ?? stop.kind;
    const held = postponed.filter((state) => waitNow(state, isStopped)?.reason === reason);
    const ofQueue = queuedFor === reason ? (queued?.records ?? 0) : 0;
    const leads = [...held, ...(ofQueue > 0 ? inQueue : [])];
    const waited = leads.map((state) => ({
      record: recordKey(state),
      fromMs: state.run?.openedAtMs ?? toMs,
      toMs,
    }));
    const budget = budgets.find(({ budget }) => budget === stop.params?.['budget']);
    const enoughCredits = leads.reduce((sum, state) => sum + priceOf(state), budget?.usedCredits ?? 0);
    const suffering = { leads: held.length + ofQueue, waited, ...(budget && { enoughCredits }) };
    return { ...stop, ...(leads.length > 0 && suffering) };
  });
}

/** Stops whose name differs from the wait reason of their records. */
const WAIT_REASONS: Partial<Readonly<Record<Stop['kind'], string>>> = {
  'budget-used-up': 'budget',
  'no-budget': 'budget',
  'writes-refused': 'HUBSPOT_REFUSES',
};

/**
 * Reads the waits of leads whose stop no person has seen: from the first refusal to its end, as `explain` shows them. A
 * record whose later run replaced this wait has the time from its run's begin to the last sight.
 */
async function leadWaits({ records, clock }: HomeServices, days: readonly NamedDay[]): Promise<LeadWaits> {
  const leads = days.flatMap(({ stops }) => stops.flatMap(({ seen, waited = [] }) => (seen ? [] : waited)));
  const keys = [...new Set(leads.map(({ record }) => record))];
  const states = new Map(
    await Promise.all(
      keys.map(async (key) => {
        const record = nameOfKey(key);
        return [key, record && (await records.read(recordKind.key(record)))?.value] as const;
      }),
    ),
  );
  return ({ record, fromMs, toMs }) => {
    const { run, outcome } = states.get(record) ?? {};
    const ofLead = [run?.stopWait, outcome?.stopWait].find(
      (wait) => wait && wait.sinceMs <= toMs && (wait.untilMs ?? toMs) >= fromMs,
    );
    return ofLead ? (ofLead.untilMs ?? clock.now()) - ofLead.sinceMs : toMs - fromMs;
  };
}

/** Reads the labels of properties. While HubSpot does not answer, the page shows their internal names. */
async function definitionsNow({ crm }: HomeServices): Promise<RuleInput['definitions']> {
  try {
    return { contacts: await crm.definitions('contacts'), companies: await crm.definitions('companies') };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return {};
  }
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

async function openBackfills({ backfillReaders, ledger }: HomeServices): Promise<OpenBackfill[]> {
  const pace = async () => (await ledger.now()).pace({ purpose: 'backfill', amountCredits: 1 });
  return (await Promise.all(backfillReaders.map(({ open }) => open(pace)))).flat();
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
