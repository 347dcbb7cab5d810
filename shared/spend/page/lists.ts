import { refusalSentence } from '#shared/credit-ledger';
import { nameOfKey } from '#shared/crm';
import { counted, dayOf, figure, type Html, html, instant, shortDay } from '#shared/kernel';
import {
  endOfWait,
  isQueued,
  type RecordPlace,
  type RecordState,
  waitingWords,
  waitNow,
} from '#shared/records';
import type { Charge, ChargePage } from '../charges.ts';
import type { SpendReport } from '../report.ts';
import { type Selection, type Spend, selectionQuery } from '../selection.ts';
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
      { words: 'Record' },
      { words: 'Credits', isNumber: true, line: 1 },
      { words: 'Lookup', line: 2 },
      { words: 'Asked for' },
      { words: 'Asked by' },
      { words: 'Outcome', line: 2 },
      { words: 'Booked at', isNumber: true, line: 2 },
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
  const { atMs, day, record = '', operation, purpose, askedBy, credits } = charge;
  const otherDay = day === dayOf(atMs, timeZone) ? undefined : html`<br>counts for ${shortDay(day)}`;
  const name = nameOfKey(record);
  return [
    name ? recordLink(name, links) : 'no record',
    figure(credits),
    label(operation),
    label(purpose),
    askerLabel(askedBy),
    label(charge.outcome),
    html`${instant(atMs, timeZone)}${otherDay}`,
  ];
}

export interface WaitingList {
  readonly report: SpendReport;
  /** Set if only records of this index partition are listed. */
  readonly place: RecordPlace | undefined;
  readonly records: readonly RecordState[];
}

/** Shows the waiting records, with the reason and end of each wait. */
export function waitingView({ report, place, records }: WaitingList, links: Links): Shown {
  const { timeZone, generatedAtMs } = report;
  const table = dataTable({
    id: 'waiting',
    label: 'Each waiting record',
    caption: `The first ${counted(records.length, 'record')}; of each kind, the ones that continue first`,
    columns: [
      { words: 'Record' },
      { words: 'For', line: 1 },
      { words: 'Since', isNumber: true },
      { words: 'Why it waits', line: 2 },
      { words: 'Until', line: 2 },
    ],
    rows: records.map((state) => waitingRow(state, report, links)),
  });
  return {
    heading: 'Waiting records',
    of: instant(generatedAtMs, timeZone),
    about: ageWords(generatedAtMs, timeZone),
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${place ? links.to('waiting', {}, { words: 'All waiting records' }) : undefined}`,
    main: html`${waitingPanel(report, links)}
<section class="panel" aria-labelledby="records">
<h2 id="records">Waiting records, one by one${place ? ` (${place})` : ''}</h2>
${records.length === 0 ? html`<p class="muted" id="none">No record waits${place ? ' here' : ''}.</p>` : table}
</section>`,
  };
}

function waitingRow(state: RecordState, report: SpendReport, links: Links): (Html | string | undefined)[] {
  const { timeZone, generatedAtMs: nowMs, stops } = report;
  const { run } = state;
  const isStoppedByPerson = stops.some(({ kind }) => kind === 'stopped-by-person');
  const now = waitNow(state, isStoppedByPerson);
  // A record that no worker has tried waits for what its group waits for.
  const line = report.waiting?.inTurn.find(({ purpose }) => purpose === run?.purpose);
  const refusal = now?.reason === 'queued' && isQueued(state) ? line?.refusal : undefined;
  const ofGroup = refusal && {
    reason: 'budget',
    untilMs: refusal.opensAtMs,
    detail: refusalSentence(refusal),
  };
  const waiting = ofGroup ?? now;
  return [
    recordLink(state, links),
    run && label(run.purpose),
    run && instant(run.openedAtMs, timeZone),
    waiting && (waiting.detail ?? waitingWords(waiting.reason, links.stack).why),
    waiting && endOfWait({ run, waiting, nowMs }, (atMs) => instant(atMs, timeZone)),
  ];
}
