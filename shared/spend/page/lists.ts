import { nameOfKey } from '#shared/crm';
import { counted, dayOf, figure, type Html, html, instant, shortDay } from '#shared/kernel';
import { endOfWait, type RecordState, waitingWords, waitNow } from '#shared/records';
import { type ReviewLine, type ReviewPage, reviewLines } from '#shared/review';
import { readCursor } from '#shared/store';
import type { Charge, ChargePage } from '../charges.ts';
import type { SpendReport } from '../report.ts';
import {
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selection,
  type Spend,
  selectionQuery,
} from '../selection.ts';
import type { WaitingPage, WaitingQuery } from '../waiting.ts';
import type { DearestRecords, RecordSpend } from '../yields.ts';
import type { Shown } from './frame.ts';
import { commandCode, homeLink, hubSpotLink, type Links, recordName, recordSearch } from './links.ts';
import { picker } from './page.ts';
import { waitingPanel } from './panels.ts';
import { type Column, dataTable } from './tables.ts';
import { askerLabel, inSelection, label, noCharge, selectionWords } from './words.ts';

export interface ChargeList {
  readonly selection: Selection;
  /** Sum of the whole selection, not only of this page. `undefined` for one record, or for an unnamed asker. */
  readonly selected: Spend | undefined;
  /** Key of the record, if the list has the charges of one record. */
  readonly record: string | undefined;
  readonly page: ChargePage;
  /** True for all pages after the first. */
  readonly isLater: boolean;
  readonly today: string;
  readonly timeZone: string;
}

/** Shows a page of the charges that make up a figure. */
export function chargesView(list: ChargeList, links: Links): Shown {
  const { selection, selected, record, page, today } = list;
  const query = { ...selectionQuery(selection), record };
  const heading =
    selected === undefined
      ? `Paid lookups of ${recordWords(record)}`
      : `Total: ${counted(selected.credits, 'credit')} in ${counted(selected.count, 'paid lookup')}`;
  const more = record && html`<input type="hidden" name="record" value="${record}">`;
  return {
    heading: 'Paid lookups',
    of: selectionWords(selection),
    about: html`${selectionWords(selection)} · days and times in ${list.timeZone}`,
    nav: html`${picker({ selection, view: 'charges', today, links, more: more || undefined })}
${links.to('spend', selectionQuery(selection), { words: 'Credit spend' })}
${links.file('spend/charges.csv', query, 'Paid lookups (CSV)')}
${links.file('spend/charges.json', query, 'Paid lookups (JSON)')}`,
    main: html`<section class="panel" aria-labelledby="total">
<h2 id="total">${heading}</h2>
${chargeTable(list, links)}
${pager(page, { query, links })}
</section>`,
  };
}

/** Shows charges with their records. */
export function chargeTable(
  {
    page: { charges, nextSeq },
    ...about
  }: Pick<ChargeList, 'page' | 'selection' | 'record' | 'isLater' | 'timeZone'>,
  links: Links,
): Html {
  if (charges.length === 0) {
    const none =
      nextSeq === undefined ? noCharge(about) : 'No paid lookup in this part of the list. See the next page.';
    return html`<p class="muted" id="none">${none}</p>`;
  }
  return dataTable({
    id: 'charges',
    label: 'Paid lookups',
    caption: `${counted(charges.length, 'paid lookup')} on this page, newest first`,
    columns: CHARGE_COLUMNS,
    rows: charges.map((charge) => chargeRow(charge, about, links)),
  });
}

const CHARGE_COLUMNS: readonly Column[] = [
  { words: 'Booked at' },
  { words: 'Record' },
  { words: 'Lookup' },
  { words: 'Asked for' },
  { words: 'Asked by' },
  { words: 'Outcome' },
  { words: 'Credits', isNumber: true },
];

type About = Pick<ChargeList, 'timeZone'>;

function chargeRow(charge: Charge, about: About, links: Links): (Html | string)[] {
  const { atMs, day, operation, purpose, askedBy, questionKey = '', credits } = charge;
  const otherDay = day === dayOf(atMs, about.timeZone) ? undefined : html`<br>counts for ${shortDay(day)}`;
  return [
    html`${instant(atMs, about.timeZone)}${otherDay}`,
    recordCell(charge, links),
    html`${label(operation)}<br>${questionName(questionKey)}`,
    label(purpose),
    askerLabel(askedBy),
    outcomeWords(charge),
    figure(credits),
  ];
}

function recordCell({ record }: Charge, links: Links): Html {
  const name = record === undefined ? undefined : nameOfKey(record);
  if (!name) return html`no record`;
  const { objectType: type, id } = name;
  return html`${links.to('record', { type, id }, { words: recordName(name) })}<br>${hubSpotLink(name, links)}`;
}

/** Shows the first characters of a question's key. The commands accept them as the key. */
export function questionName(key: string): Html {
  return html`<code>${key.slice(0, 12)}</code>`;
}

function outcomeWords({ outcome, isResolved }: Charge): string {
  return isResolved ? 'In doubt, resolved as charged' : label(outcome);
}

function recordWords(record: string | undefined): string {
  if (record === undefined) return 'this asker';
  const name = nameOfKey(record);
  return name ? recordName(name) : 'one record';
}

function pager({ nextSeq }: ChargePage, { query, links }: { query: Query; links: Links }): Html | undefined {
  if (nextSeq === undefined) return undefined;
  return html`<p class="pager">${links.to('charges', { ...query, before: String(nextSeq) }, { words: 'Older lookups' })}</p>`;
}

export interface DearestList extends DearestRecords {
  readonly selection: Selection;
  /** Number of charges that were read. If `isMore`, older charges of the selection are left out. */
  readonly charges: number;
  readonly isMore: boolean;
  readonly today: string;
  readonly timeZone: string;
}

/** Shows the records that cost the most in a period, each with its charges and their reasons. */
export function dearestView(list: DearestList, links: Links): Shown {
  const { selection, today, timeZone } = list;
  const query = selectionQuery(selection);
  return {
    heading: 'Most expensive records',
    of: selectionWords(selection),
    about: html`${selectionWords(selection)} · days in ${timeZone}`,
    nav: html`${picker({ selection, view: 'records', today, links })}
${links.to('spend', query, { words: 'Credit spend' })}
${links.to('charges', query, { words: 'Paid lookups' })}`,
    main: html`<section class="panel" aria-labelledby="dearest">
<h2 id="dearest">Most expensive records ${inSelection(selection)}</h2>
${list.isMore ? html`<p class="muted" id="newest-only">Only the newest ${counted(list.charges, 'paid lookup')} are counted. To count all, choose fewer days.</p>` : undefined}
${dearestTable(list, links)}
${list.unnamedCredits > 0 ? html`<p class="muted" id="without-record">${counted(list.unnamedCredits, 'credit')} more were charged without a record, such as for a search.</p>` : undefined}
</section>`,
  };
}

function dearestTable(list: DearestList, links: Links): Html {
  const { records, moreRecords } = list;
  if (records.length === 0)
    return html`<p class="muted">No paid lookup names a record ${inSelection(list.selection)}.</p>`;
  return dataTable({
    id: 'records',
    label: 'Records by credits',
    caption: `${counted(records.length, 'record')}, most expensive first${moreRecords > 0 ? `; ${figure(moreRecords)} more cost less` : ''}`,
    columns: DEAREST_COLUMNS,
    rows: records.map((record) => dearestRow(record, list, links)),
  });
}

const DEAREST_COLUMNS: readonly Column[] = [
  { words: 'Record' },
  { words: 'Credits', isNumber: true },
  { words: 'Paid lookups', isNumber: true },
  { words: 'Asked for' },
  { words: 'Asked by' },
  { words: 'Rule', isTyped: true },
];

function dearestRow(
  { record, credits, count, purposes, rules, askers }: RecordSpend,
  list: DearestList,
  links: Links,
): (Html | string)[] {
  const name = nameOfKey(record);
  const words = name ? recordName(name) : record;
  const recordLink = name
    ? html`${links.to('record', { type: name.objectType, id: name.id }, { words })}<br>${hubSpotLink(name, links)}`
    : words;
  const linkWords = { words: figure(count), label: `${counted(count, 'paid lookup')}: ${words}` };
  const charges = links.to('charges', { ...selectionQuery(list.selection), record }, linkWords);
  return [
    recordLink,
    figure(credits),
    charges,
    purposes.map(label).join(', '),
    askers.map(askerLabel).join(', '),
    rules.join(', '),
  ];
}

export interface WaitingList {
  readonly report: SpendReport;
  readonly query: WaitingQuery;
  readonly page: WaitingPage;
}

/** Shows the waiting records, with the reason and end of each wait, and what a person can do. */
export function waitingView({ report, query, page }: WaitingList, links: Links): Shown {
  const { timeZone, generatedAtMs, stops } = report;
  const isStoppedByPerson = stops.some(({ kind }) => kind === 'stopped-by-person');
  const { records, next } = page;
  const table =
    records.length === 0
      ? html`<p class="muted" id="none">No record waits${query.place ? ' here' : ''}.</p>`
      : dataTable({
          id: 'waiting',
          label: 'Each waiting record',
          caption: `${counted(records.length, 'record')} on this page; of each kind, the ones that continue first`,
          columns: WAITING_COLUMNS,
          rows: records.map((state) =>
            waitingRow(state, { timeZone, nowMs: generatedAtMs, isStoppedByPerson, links }),
          ),
        });
  const older = next && links.to('waiting', { place: query.place, after: next }, { words: 'More records' });
  return {
    heading: 'Waiting records',
    of: instant(generatedAtMs, timeZone),
    about: html`As of ${instant(generatedAtMs, timeZone)} (${timeZone})`,
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${query.place ? links.to('waiting', {}, { words: 'All waiting records' }) : undefined}`,
    main: html`${waitingPanel(report, links)}
<section class="panel" aria-labelledby="records">
<h2 id="records">Waiting records, one by one${query.place ? html` (${query.place})` : undefined}</h2>
${table}
${older ? html`<p class="pager">${older}</p>` : undefined}
</section>
${recordSearch(links)}`,
  };
}

interface WaitingContext {
  readonly timeZone: string;
  readonly nowMs: number;
  readonly isStoppedByPerson: boolean;
  readonly links: Links;
}

const WAITING_COLUMNS: readonly Column[] = [
  { words: 'Record' },
  { words: 'For' },
  { words: 'Since' },
  { words: 'Why it waits' },
  { words: 'Until' },
  { words: 'What to do' },
];

function waitingRow(
  state: RecordState,
  { timeZone, nowMs, isStoppedByPerson, links }: WaitingContext,
): (Html | string | undefined)[] {
  const { objectType: type, id, run } = state;
  const waiting = waitNow(state, isStoppedByPerson);
  const { why, toDo } = waitingWords(waiting?.reason ?? '', links.stack);
  const until = waiting && endOfWait({ run, waiting, nowMs }, (atMs) => instant(atMs, timeZone));
  const since = run ? instant(run.openedAtMs, timeZone) : '';
  const name = { objectType: type, id };
  return [
    html`${links.to('record', { type, id }, { words: recordName(name) })}<br>${hubSpotLink(name, links)}`,
    run && label(run.purpose),
    since,
    waiting?.detail ?? why,
    until,
    toDo,
  ];
}

export interface ReviewList {
  readonly page: ReviewPage;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Shows findings that need a person's decision. Shows reasons and names of properties, but never values. */
export function reviewView(list: ReviewList, links: Links): Shown {
  const { page, nowMs, timeZone } = list;
  const lines = reviewLines(page.values);
  const table =
    lines.length === 0
      ? html`<p class="muted" id="none">Nothing needs review${page.next ? ' on this page' : ''}.</p>`
      : dataTable({
          id: 'findings',
          label: 'Needs review',
          caption: `${counted(lines.length, 'finding')} on this page, the most serious first`,
          columns: REVIEW_COLUMNS,
          rows: lines.map((line) => reviewRow(line, list, links)),
        });
  const more = page.next && links.to('review', { after: page.next }, { words: 'More findings' });
  return {
    heading: 'Review',
    of: instant(nowMs, timeZone),
    about: html`As of ${instant(nowMs, timeZone)} (${timeZone})`,
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${links.to('waiting', {}, { words: 'Waiting records' })}`,
    main: html`<section class="panel" aria-labelledby="review">
<h2 id="review">Needs your decision</h2>
<p>This page only reads. Decide on the record's card or on ${homeLink(links, "the app's home page in HubSpot") ?? html`the app's home page in HubSpot`}, which have buttons for it.
In a terminal, decide with ${commandCode(links, 'review accept ID')} or ${commandCode(links, 'review reject ID')}.</p>
${table}
${more ? html`<p class="pager">${more}</p>` : undefined}
</section>
${recordSearch(links)}`,
  };
}

const REVIEW_COLUMNS: readonly Column[] = [
  { words: 'Record' },
  { words: 'What' },
  { words: 'Since' },
  { words: 'Why' },
  { words: 'Properties' },
  { words: 'Id' },
];

function reviewRow(line: ReviewLine, { timeZone }: ReviewList, links: Links): (Html | string)[] {
  const name = nameOfKey(line.record.replace('/', '#'));
  const record = name
    ? html`${links.to('record', { type: name.objectType, id: name.id }, { words: recordName(name) })}<br>${hubSpotLink(name, links)}`
    : line.record;
  return [
    record,
    label(line.kind),
    instant(Date.parse(line.since), timeZone),
    line.reason,
    line.properties.join(', '),
    html`<code>${line.id}</code>`,
  ];
}

/** Reads `after`, which is a digit and the store's cursor. */
export function parseReview({
  after,
}: Query): { readonly kind: 'review'; readonly after?: string } | RefusedQuery {
  if (!after) return { kind: 'review' };
  if (/^[0-9]/.test(after) && (after.length === 1 || readCursor(after.slice(1))))
    return { kind: 'review', after };
  return refusedQuery('not-a-place', { parameter: 'after' });
}
