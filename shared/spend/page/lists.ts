import { nameOfKey } from '#shared/crm';
import { counted, dayOf, figure, type Html, html, instant, shortDay } from '#shared/kernel';
import { endOfWait, type RecordState, waitingWords, waitNow } from '#shared/records';
import type { Charge, ChargePage } from '../charges.ts';
import type { SpendReport } from '../report.ts';
import { type Selection, type Spend, selectionQuery } from '../selection.ts';
import type { WaitingPage, WaitingQuery } from '../waiting.ts';
import type { Shown } from './frame.ts';
import { type Links, recordLink } from './links.ts';
import { picker } from './page.ts';
import { waitingPanel } from './panels.ts';
import { dataTable } from './tables.ts';
import { ageWords, askerLabel, label, noCharge, selectionWords } from './words.ts';

export interface ChargeList {
  readonly selection: Selection;
  /** Sum of the whole selection, not only of this page. Absent for one record or one asker. */
  readonly selected: Spend | undefined;
  /** Key of the record, if the list has the charges of one record. */
  readonly record: string | undefined;
  readonly page: ChargePage;
  /** True for all pages after the first. */
  readonly isLater: boolean;
  readonly today: string;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Shows a page of the charges that make up a figure, each with its record. */
export function chargesView(list: ChargeList, links: Links): Shown {
  const { selection, selected, record, timeZone } = list;
  const { charges, nextSeq } = list.page;
  const query = { ...selectionQuery(selection), record };
  const heading = selected
    ? `Total: ${counted(selected.credits, 'credit')} in ${counted(selected.count, 'paid lookup')}`
    : 'Paid lookups';
  const none =
    nextSeq === undefined ? noCharge(list) : 'No paid lookup in this part of the list. See the next page.';
  const table = dataTable({
    id: 'charges',
    label: 'Paid lookups',
    caption: `${counted(charges.length, 'paid lookup')} on this page, newest first`,
    columns: [
      { words: 'Booked at' },
      { words: 'Record' },
      { words: 'Lookup' },
      { words: 'Asked for' },
      { words: 'Asked by' },
      { words: 'Outcome' },
      { words: 'Credits', isNumber: true },
    ],
    rows: charges.map((charge) => chargeRow(charge, timeZone, links)),
  });
  return {
    heading: 'Paid lookups',
    of: selectionWords(selection),
    about: html`${selectionWords(selection)} · ${ageWords(list.nowMs, timeZone)}`,
    nav: html`${picker({ query, selection, view: 'charges', today: list.today, links })}
${links.to('spend', selectionQuery(selection), { words: 'Credit spend' })}
${links.file('spend/charges.csv', query, 'Paid lookups (CSV)')}
${links.file('spend/charges.json', query, 'Paid lookups (JSON)')}`,
    main: html`<section class="panel" aria-labelledby="total">
<h2 id="total">${heading}</h2>
${charges.length === 0 ? html`<p class="muted" id="none">${none}</p>` : table}
${nextSeq === undefined ? undefined : html`<p class="pager">${links.to('charges', { ...query, before: String(nextSeq) }, { words: 'Older lookups' })}</p>`}
</section>`,
  };
}

function chargeRow(charge: Charge, timeZone: string, links: Links): (Html | string)[] {
  const { atMs, day, record = '', operation, purpose, askedBy, questionKey = '', credits } = charge;
  const otherDay = day === dayOf(atMs, timeZone) ? undefined : html`<br>counts for ${shortDay(day)}`;
  const name = nameOfKey(record);
  return [
    html`${instant(atMs, timeZone)}${otherDay}`,
    name ? recordLink(name, links) : 'no record',
    // The commands accept the first characters of a question's key.
    html`${label(operation)}<br><code>${questionKey.slice(0, 12)}</code>`,
    label(purpose),
    askerLabel(askedBy),
    charge.isResolved ? 'Unknown outcome, decided as charged' : label(charge.outcome),
    figure(credits),
  ];
}

export interface WaitingList {
  readonly report: SpendReport;
  readonly query: WaitingQuery;
  readonly page: WaitingPage;
}

/** Shows the waiting records, with the reason and end of each wait, and what a person can do. */
export function waitingView({ report, query, page }: WaitingList, links: Links): Shown {
  const { timeZone, generatedAtMs } = report;
  const { records, next } = page;
  const table = dataTable({
    id: 'waiting',
    label: 'Each waiting record',
    caption: `${counted(records.length, 'record')} on this page; of each kind, the ones that continue first`,
    columns: ['Record', 'For', 'Since', 'Why it waits', 'Until', 'What to do'].map((words) => ({ words })),
    rows: records.map((state) => waitingRow(state, report, links)),
  });
  return {
    heading: 'Waiting records',
    of: instant(generatedAtMs, timeZone),
    about: ageWords(generatedAtMs, timeZone),
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${query.place ? links.to('waiting', {}, { words: 'All waiting records' }) : undefined}`,
    main: html`${waitingPanel(report, links)}
<section class="panel" aria-labelledby="records">
<h2 id="records">Waiting records, one by one${query.place ? ` (${query.place})` : ''}</h2>
${records.length === 0 ? html`<p class="muted" id="none">No record waits${query.place ? ' here' : ''}.</p>` : table}
${next && html`<p class="pager">${links.to('waiting', { place: query.place, after: next }, { words: 'More records' })}</p>`}
</section>`,
  };
}

function waitingRow(state: RecordState, report: SpendReport, links: Links): (Html | string | undefined)[] {
  const { timeZone, generatedAtMs: nowMs, stops } = report;
  const { run } = state;
  const isStoppedByPerson = stops.some(({ kind }) => kind === 'stopped-by-person');
  const waiting = waitNow(state, isStoppedByPerson);
  const { why, toDo } = waitingWords(waiting?.reason ?? '', links.stack);
  return [
    recordLink(state, links),
    run && label(run.purpose),
    run && instant(run.openedAtMs, timeZone),
    waiting?.detail ?? why,
    waiting && endOfWait({ run, waiting, nowMs }, (atMs) => instant(atMs, timeZone)),
    toDo,
  ];
}
