import { counted, type Html, html, instant } from '#shared/kernel';
import { endOfWait, type RecordState, waitingWords, waitNow } from '#shared/records';
import type { SpendReport } from '../report.ts';
import type { WaitingPage, WaitingQuery } from '../waiting-list.ts';
import { type Column, dataTable } from './data-table.ts';
import type { Shown } from './frame.ts';
import { label } from './labels.ts';
import type { Links } from './links.ts';
import { hubSpotLink, recordName, recordSearch } from './record-search.ts';
import { waitingTable } from './waiting-table.ts';

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
          columns: COLUMNS,
          rows: records.map((state) =>
            row(state, { timeZone, nowMs: generatedAtMs, isStoppedByPerson, links }),
          ),
        });
  const older = next && links.to('waiting', { place: query.place, after: next }, { words: 'More records' });
  return {
    heading: 'Waiting records',
    of: instant(generatedAtMs, timeZone),
    about: html`As of ${instant(generatedAtMs, timeZone)} (${timeZone})`,
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${query.place ? links.to('waiting', {}, { words: 'All waiting records' }) : undefined}`,
    main: html`${waitingTable(report, links)}
<section class="panel" aria-labelledby="records">
<h2 id="records">Waiting records, one by one${query.place ? html` (${query.place})` : undefined}</h2>
${table}
${older ? html`<p class="pager">${older}</p>` : undefined}
</section>
${recordSearch(links)}`,
  };
}

interface RowContext {
  readonly timeZone: string;
  readonly nowMs: number;
  readonly isStoppedByPerson: boolean;
  readonly links: Links;
}

const COLUMNS: readonly Column[] = [
  { words: 'Record' },
  { words: 'For' },
  { words: 'Since' },
  { words: 'Why it waits' },
  { words: 'Until' },
  { words: 'What to do' },
];

function row(
  state: RecordState,
  { timeZone, nowMs, isStoppedByPerson, links }: RowContext,
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
