import {
  type LedgerReader,
  type LedgerStore,
  NO_STATEMENT,
  readStatement,
  type Statement,
} from '#shared/credit-ledger';
import { nameOfKey, recordKey } from '#shared/crm';
import {
  type BackfillItems,
  type BackfillSummary,
  backfillKind,
  summaryOf,
} from '#shared/extensions/backfill';
import { type Clock, dayOf, daysOfMonth, monthOfDay, wordingText } from '#shared/kernel';
import type { BookedDoubts, BreakerState } from '#shared/questions';
import { type Days, type Journal, type OwnPortal, type RecordItems, totalCredits } from '#shared/records';
import type { ReviewPage, Reviews } from '#shared/review';
import {
  type ChargePage,
  type ChargeQuery,
  listManyCharges,
  parseRecordName,
  readRecordLook,
} from './charges.ts';
import type { Shown } from './page/frame.ts';
import { type HubSpotSite, hubSpotPages, type Installation, type Links, type View } from './page/links.ts';
import { chargesView, dearestView, parseReview, reviewView, waitingView } from './page/lists.ts';
import { parsePageChoice, reportView } from './page/page.ts';
import { recordView } from './page/record-view.ts';
import { statementView } from './page/statement.ts';
import { buildReport, monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
import {
  daysOf,
  holdsUnnamed,
  isSelected,
  longestUpTo,
  monthsOf,
  parseSelection,
  periodBefore,
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selected,
  type Selection,
  type Spend,
  sum,
  wholeMonth,
} from './selection.ts';
import type { SpendBook } from './spend-book.ts';
import { readStops, type StopSources } from './stops.ts';
import { listWaiting, parseWaiting, summarizeWaiting, type WaitingSources } from './waiting.ts';
import { dearestRecords } from './yields.ts';

export interface ViewSources extends ReportSources {
  readonly ledgerStore: LedgerStore;
  readonly states: RecordItems;
  readonly journal: Pick<Journal, 'read'>;
  readonly reviews: Pick<Reviews, 'page'>;
  /** Returns the installation that the page names in its commands and links. */
  readonly place: () => Promise<Installation>;
}

type ViewResult = { readonly kind: 'shown'; readonly shown: Shown } | RefusedQuery;

/** Reads and renders a view. Changes nothing. */
export async function readView(
  sources: ViewSources,
  { view, query, links }: { readonly view: View; readonly query: Query; readonly links: Links },
): Promise<ViewResult> {
  switch (view) {
    case 'spend': {
      const picked = pickedFrom(sources, query);
      if (picked.kind === 'refused') return picked;
      const choice = parsePageChoice(query);
      if (choice.kind === 'refused') return choice;
      const report = await readReport(sources, reportSelection(picked));
      return shown(reportView(report, links, choice));
    }
    case 'records': {
      const read = await readCharges(sources, query, DEAREST_CHARGES);
      if (read.kind === 'refused') return read;
      const { charges, nextSeq } = read.page;
      const { selection } = read;
      const counted = { selection, charges: charges.length, isMore: nextSeq !== undefined };
      const { clock, timeZone } = sources;
      const pageFacts = { today: dayOf(clock.now(), timeZone), timeZone };
      return shown(dearestView({ ...dearestRecords(charges), ...counted, ...pageFacts }, links));
    }
    case 'charges': {
      const read = await readCharges(sources, query, PAGE_CHARGES);
      if (read.kind === 'refused') return read;
      const { clock, timeZone } = sources;
      const pageFacts = { today: dayOf(clock.now(), timeZone), timeZone };
      return shown(chargesView({ ...read, ...pageFacts }, links));
    }
    case 'waiting': {
      const parsed = parseWaiting(query);
      if (parsed.kind === 'refused') return parsed;
      const page = await listWaiting(sources.states, parsed.query);
      const report = await readReport(sources);
      return shown(waitingView({ report, query: parsed.query, page }, links));
    }
    case 'review': {
      const parsed = parseReview(query);
      if (parsed.kind === 'refused') return parsed;
      const { clock, timeZone, reviews } = sources;
      const page = await findingsFrom(reviews, parsed.after);
      const following = page.next ? await findingsFrom(reviews, page.next) : undefined;
      const next = following?.values.length ? page.next : undefined;
      return shown(reviewView({ page: { ...page, next }, nowMs: clock.now(), timeZone }, links));
    }
    case 'record':
      return lookUpRecord(sources, query, links);
    case 'statement': {
      const read = await readMonthStatement(sources, query);
      if (read.kind === 'refused') return read;
      const { clock, timeZone, creditPrice } = sources;
      return shown(statementView({ ...read, creditPrice, nowMs: clock.now(), timeZone }, links));
    }
    default:
      return view satisfies never;
  }
}

/** Reads stored pages until they fill a page of the view. The store keeps the findings of each kind apart. */
async function findingsFrom(reviews: ViewSources['reviews'], after: string | undefined): Promise<ReviewPage> {
  let page = await reviews.page({ after });
  let values = page.values;
  while (values.length < PAGE_FINDINGS && page.next) {
    page = await reviews.page({ after: page.next });
    values = [...values, ...page.values];
  }
  return { ...page, values };
}

async function lookUpRecord(sources: ViewSources, query: Query, links: Links): Promise<ViewResult> {
  const parsed = parseRecordName(query);
  if (parsed.kind === 'refused') return parsed;
  const { clock, timeZone, states: records, journal } = sources;
  const nowMs = clock.now();
  const today = dayOf(nowMs, timeZone);
  const look = await readRecordLook({ records, journal }, parsed.name);
  const selection = longestUpTo(today);
  const { rows } = await sources.spendBook.read({ months: monthsOf(selection) });
  const charges = await pageOf(sources, {
    rows,
    selection,
    record: recordKey(look.state),
    limit: PAGE_CHARGES,
    allCredits: totalCredits(look.state),
  });
  const isStoppedByPerson = (await sources.stops?.breakers.read())?.stopped !== undefined;
  const page = { look, selection, charges, nowMs, isStoppedByPerson, timeZone };
  return shown(recordView(page, links));
}

/** Reads the statement of a calendar month, by day of booking. Without a month, of this month so far. */
export async function readMonthStatement(
  { ledgerStore: store, ledger, clock, timeZone, stack }: ViewSources,
  query: Query,
): Promise<{ readonly kind: 'statement'; readonly statement: Statement } | RefusedQuery> {
  const nowMs = clock.now();
  const month = query['month'] || monthOfDay(dayOf(nowMs, timeZone));
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return refusedQuery('not-a-month', { parameter: 'month' });
  const reading = await readStatement(month, { store, account: ledger.account, timeZone, nowMs });
  if (reading.kind === 'statement') return reading;
  const why = wordingText(NO_STATEMENT[reading.kind]({ month, ...reading }), stack);
  return refusedQuery('no-statement', { parameter: 'month', why });
}

/** Maximum number of charges that are summed up by record for one view. */
const DEAREST_CHARGES = 5_000;

/** Minimum number of findings on a page, if there are so many. */
const PAGE_FINDINGS = 50;

/** Number of charges on a page. */
const PAGE_CHARGES = 50;

/**
 * Maximum number of charges in a file or a JSON answer. Lambda returns 6 MB at most, and each charge takes up to 200
 * bytes.
 */
export const FILE_CHARGES = 20_000;

/** Maximum number of reads of a list for one answer. They fit into the function's 30 seconds. */
const MOST_PARTS = 60;

interface ChargesRead {
  readonly kind: 'charges';
  readonly selection: Selection;
  readonly selected: Spend | undefined;
  readonly record: string | undefined;
  readonly page: ChargePage;
  readonly isLater: boolean;
}

/** Reads a page of the requested charges. With a cursor, the page begins at this cursor. */
export async function readCharges(
  sources: ReportSources & Pick<ViewSources, 'ledgerStore'>,
  query: Query,
  limit: number,
): Promise<ChargesRead | RefusedQuery> {
  const picked = pickedFrom(sources, query);
  if (picked.kind === 'refused') return picked;
  const { before } = query;
  const record = query['record'] || undefined;
  if (record !== undefined && !nameOfKey(record))
    return refusedQuery('not-a-record', { parameter: 'record' });
  if (before && !/^[1-9]\d{0,14}$/.test(before)) return refusedQuery('not-an-entry', { parameter: 'before' });
  const { selection } = picked;
  const { rows } = await sources.spendBook.read({ months: monthsOf(selection) });
  const beforeSeq = before ? Number(before) : undefined;
  const page = await pageOf(sources, { rows, selection, record, beforeSeq, limit });
  const isKnown = record === undefined && !rows.some((row) => holdsUnnamed(row, selection));
  const selected = isKnown ? sum(rows.filter((row) => isSelected(selection, row))) : undefined;
  return { kind: 'charges', selection, selected, record, page, isLater: beforeSeq !== undefined };
}

function pageOf(
  { ledgerStore: store }: ReportSources & Pick<ViewSources, 'ledgerStore'>,
  { allCredits, ...query }: ChargeQuery & { readonly allCredits?: number },
) {
  const { rows, selection, record, limit } = query;
  // The sums do not name these charges, so the first part may have none of them.
  const isRare = record !== undefined || rows.some((row) => holdsUnnamed(row, selection));
  const mostParts = isRare || limit > PAGE_CHARGES ? MOST_PARTS : 1;
  return listManyCharges(store, query, { mostParts, allCredits });
}

export function pickedFrom({ clock, timeZone }: ReportSources, query: Query): Selected {
  return parseSelection(query, { today: dayOf(clock.now(), timeZone) });
}

/**
 * Returns the selection; `undefined` for the default range (this month), because its report also has the current
 * figures.
 */
export function reportSelection({
  selection,
  isPicked,
}: Exclude<Selected, RefusedQuery>): Selection | undefined {
  return isPicked ? selection : undefined;
}

function shown(view: Shown): ViewResult {
  return { kind: 'shown', shown: view };
}

/** Stores behind the page, named as in the composition. */
interface SpendReaders
  extends Pick<ViewSources, 'spendBook' | 'ledger' | 'ledgerStore' | 'journal' | 'reviews' | 'bookedDoubts'>,
    Pick<ViewSources, 'backfills' | 'days'>,
    Pick<NonNullable<ViewSources['waiting']>, 'counted'>,
    StopSources {
  readonly records: ViewSources['states'];
  readonly portal: Pick<OwnPortal, 'known'>;
}

type About = Pick<ViewSources, 'service' | 'stack' | 'clock'> & {
  readonly hubSpot: HubSpotSite;
  readonly environment?: string | undefined;
  readonly policy: Pick<ViewSources, 'timeZone' | 'creditPrice'>;
};

/** Names the stores as the views of the page do. */
export function viewSources(
  readers: SpendReaders,
  { policy, hubSpot, environment, ...about }: About,
): ViewSources {
  const { timeZone, creditPrice } = policy;
  return {
    ...readers,
    states: readers.records,
    place: async () => {
      const portal = await readers.portal.known();
      return { stack: about.stack, environment, hubSpot: hubSpotPages(hubSpot, portal?.portalId) };
    },
    waiting: readers,
    stops: readers,
    timeZone,
    creditPrice,
    ...about,
  };
}

export interface ReportSources {
  readonly spendBook: Pick<SpendBook, 'read'>;
  readonly ledger: Pick<LedgerReader, 'account' | 'now'>;
  /** Present if the report includes doubts that were booked as charged. */
  readonly bookedDoubts?: (() => Promise<BookedDoubts>) | undefined;
  /** Present if the report includes waiting records. */
  readonly waiting?: Pick<WaitingSources, 'records' | 'counted'> | undefined;
  /** Present if the report includes backfills. */
  readonly backfills?: BackfillItems['backfills'] | undefined;
  /** Present if the report includes results of the credits, and the days with stops. */
  readonly days?: Pick<Days, 'read'> | undefined;
  /** Present if the report includes stops. */
  readonly stops?: StopSources | undefined;
  /** Price of one credit in money. */
  readonly creditPrice?: SpendReport['creditPrice'] | undefined;
  /** Whether the data service is a stand-in. */
  readonly service?: ServiceKind | undefined;
  /** Name of the ledger's stack; absent on one machine. */
  readonly stack?: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

/** Reads the current report. Its tables show this month unless a selection is given. Changes nothing. */
export async function readReport(sources: ReportSources, picked?: Selection): Promise<SpendReport> {
  const { spendBook, ledger, waiting: counting, stops, service, stack, timeZone } = sources;
  const moment = { nowMs: sources.clock.now(), timeZone };
  const monthsOfNow = monthsNeeded(moment);
  const today = dayOf(moment.nowMs, timeZone);
  const monthsOfPicked = picked ? monthsOf(picked) : [];
  const monthsOfBefore = monthsOf(periodBefore(picked ?? wholeMonth(monthOfDay(today)), today));
  const [{ rows, newest }, budgetsNow, days, stopFacts, bookedDoubts] = await Promise.all([
    spendBook.read({ months: [...monthsOfNow, ...monthsOfPicked, ...monthsOfBefore] }),
    ledger.now(),
    sources.days?.read(picked ? daysOf(picked) : daysOfMonth(today)),
    stops && readStops(stops),
    sources.bookedDoubts?.(),
  ]);
  const isStoppedByPerson = stopFacts?.breakers.stopped !== undefined;
  const recent = rows.filter(({ day }) => monthsOfNow.includes(monthOfDay(day)));
  const waiting =
    counting && (await summarizeWaiting({ ...counting, budgetsNow, isStoppedByPerson }, recent));
  const backfills = await begunBackfills(sources, stopFacts?.breakers);
  return buildReport({
    ...moment,
    backfills,
    account: ledger.account,
    rows,
    picked,
    newest,
    budgets: budgetsNow.states(),
    days,
    stopFacts,
    bookedDoubts,
    service,
    creditPrice: sources.creditPrice,
    stack,
    waiting,
  });
}

/** Maximum number of backfills in the report. This is enough for more than a year. */
const MAX_BACKFILLS = 50;

async function begunBackfills(
  { backfills }: ReportSources,
  breakers: BreakerState | undefined,
): Promise<BackfillSummary[] | undefined> {
  const all = await backfills?.list({
    partition: backfillKind.partition('backfills'),
    limit: MAX_BACKFILLS,
    newestFirst: true,
  });
  return all
    ?.filter(({ startedAtMs }) => startedAtMs !== undefined)
    .map((each) => summaryOf(each, breakers?.stopped));
}
