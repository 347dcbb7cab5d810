import {
  type LedgerReader,
  type LedgerStore,
  NO_STATEMENT,
  readStatement,
  type Statement,
} from '#shared/credit-ledger';
import { nameOfKey } from '#shared/crm';
import { type Clock, dayOf, daysOfMonth, monthOfDay, wordingText } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
import type { Days, OwnPortal, RecordItems } from '#shared/records';
import type { BackfillReader } from './backfills.ts';
import { type ChargePage, listCharges } from './charges.ts';
import {
  type HubSpotSite,
  hubSpotPages,
  type Installation,
  type Links,
  type Shown,
  type View,
} from './page/frame.ts';
import { chargesView, parsePageChoice, reportView, waitingView } from './page/page.ts';
import { statementView } from './page/statement.ts';
import { buildReport, monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
import {
  daysOf,
  isSelected,
  isSingleAsker,
  monthsOf,
  type PickedSelection,
  parseSelection,
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selection,
  type Spend,
  sum,
} from './selection.ts';
import type { SpendBook } from './spend-book.ts';
import { readStops, type StopSources } from './stops.ts';
import { listWaiting, parseWaiting, summarizeWaiting, type WaitingSources } from './waiting.ts';

export interface ViewSources extends ReportSources {
  readonly ledgerStore: LedgerStore;
  readonly states: RecordItems;
  /** Returns the installation that the page names in its commands and links. */
  readonly place: () => Promise<Installation>;
}

type ViewResult = { readonly kind: 'shown'; readonly shown: Shown } | RefusedQuery;

/** Reads and renders a view. Changes nothing. */
export async function readView(
  sources: ViewSources,
  { view, query, links }: { readonly view: View; readonly query: Query; readonly links: Links },
): Promise<ViewResult> {
  const { clock, timeZone, creditPrice } = sources;
  const nowMs = clock.now();
  switch (view) {
    case 'spend': {
      const picked = pickedFrom(sources, query);
      if (picked.kind === 'refused') return picked;
      const choice = parsePageChoice(query);
      if (choice.kind === 'refused') return choice;
      return shown(reportView(await readReport(sources, reportSelection(picked)), links, choice));
    }
    case 'charges': {
      const read = await readCharges(sources, query, PAGE_CHARGES);
      if (read.kind === 'refused') return read;
      return shown(chargesView({ ...read, today: dayOf(nowMs, timeZone), nowMs, timeZone }, links));
    }
    case 'waiting': {
      const parsed = parseWaiting(query);
      if (parsed.kind === 'refused') return parsed;
      const { place } = parsed;
      const records = await listWaiting(sources.states, place);
      return shown(waitingView({ report: await readReport(sources), place, records }, links));
    }
    case 'statement': {
      const read = await readMonthStatement(sources, query);
      if (read.kind === 'refused') return read;
      return shown(statementView({ ...read, creditPrice, nowMs, timeZone }, links));
    }
    default:
      return view satisfies never;
  }
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

/** Number of charges on a page. */
const PAGE_CHARGES = 50;

/**
 * Maximum number of charges in a file or a JSON answer. Lambda returns 6 MB at most, and each charge takes up to 200
 * bytes.
 */
export const FILE_CHARGES = 20_000;

/** Maximum number of entries that are read for a file or for rare charges. They fit into the function's 30 seconds. */
const MAX_READ = 60_000;

interface ChargesRead {
  readonly kind: 'charges';
  readonly selection: Selection;
  /** Sum of the whole selection. Absent for one record or one asker, which the sums do not know. */
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
  const picked = parseSelection(query, { today: dayOf(sources.clock.now(), sources.timeZone) });
  if (picked.kind === 'refused') return picked;
  const { before } = query;
  const record = query['record'] || undefined;
  if (record !== undefined && !nameOfKey(record))
    return refusedQuery('not-a-record', { parameter: 'record' });
  if (before && !/^[1-9]\d{0,14}$/.test(before)) return refusedQuery('not-an-entry', { parameter: 'before' });
  const { selection } = picked;
  const { rows } = await sources.spendBook.read({ months: monthsOf(selection) });
  const beforeSeq = before ? Number(before) : undefined;
  // The sums do not know these charges, so the first entries may have none of them.
  const isRare = record !== undefined || isSingleAsker(selection);
  const maxRead = isRare || limit > PAGE_CHARGES ? MAX_READ : undefined;
  const asked = { rows, selection, record, beforeSeq, limit, maxRead };
  const page = await listCharges(sources.ledgerStore, asked);
  const selected = isRare ? undefined : sum(rows.filter((row) => isSelected(selection, row)));
  return { kind: 'charges', selection, selected, record, page, isLater: beforeSeq !== undefined };
}

export function pickedFrom({ clock, timeZone }: ReportSources, query: Query): PickedSelection | RefusedQuery {
  return parseSelection(query, { today: dayOf(clock.now(), timeZone), isOfSums: true });
}

/**
 * Returns the selection; `undefined` for the default range (this month), because its report also has the current
 * figures.
 */
export function reportSelection({ selection, isPicked }: PickedSelection): Selection | undefined {
  return isPicked ? selection : undefined;
}

function shown(view: Shown): ViewResult {
  return { kind: 'shown', shown: view };
}

/** Stores behind the page, named as in the composition. */
interface SpendReaders
  extends Pick<ViewSources, 'spendBook' | 'ledger' | 'ledgerStore' | 'bookedDoubts'>,
    Pick<ViewSources, 'backfillReaders' | 'days'>,
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
  readonly backfillReaders?: readonly BackfillReader[] | undefined;
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
  const [{ rows, newest }, budgetsNow, days, stopFacts, bookedDoubts] = await Promise.all([
    spendBook.read({ months: [...monthsOfNow, ...monthsOfPicked] }),
    ledger.now(),
    sources.days?.read(picked ? daysOf(picked) : daysOfMonth(today)),
    stops && readStops(stops),
    sources.bookedDoubts?.(),
  ]);
  const isStoppedByPerson = stopFacts?.breakers.stopped !== undefined;
  const recent = rows.filter(({ day }) => monthsOfNow.includes(monthOfDay(day)));
  const waiting =
    counting && (await summarizeWaiting({ ...counting, ...moment, budgetsNow, isStoppedByPerson }, recent));
  const reading = sources.backfillReaders?.map(({ started }) => started(stopFacts?.breakers.stopped));
  const backfills = reading && (await Promise.all(reading)).flat();
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
