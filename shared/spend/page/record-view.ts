import { recordKey } from '#shared/crm';
import { STATUS_LABELS } from '#shared/field-policy';
import { counted, dayOf, figure, type Html, html, instant } from '#shared/kernel';
import {
  endOfWait,
  explanationText,
  type RecordState,
  recordPlace,
  standingWords,
  totalCredits,
  waitingWords,
  waitNow,
} from '#shared/records';
import type { ChargePage, RecordLook, RunLook } from '../charges.ts';

import { type Selection, selectionQuery } from '../selection.ts';
import type { Shown } from './frame.ts';
import { hubSpotLink, type Links, recordName, recordSearch } from './links.ts';
import { chargeTable, questionName } from './lists.ts';
import { type Column, dataTable } from './tables.ts';
import { label, selectionWords } from './words.ts';

export interface RecordPage {
  readonly look: RecordLook;
  /** Days whose charges are shown. `charges` is the first page of them. */
  readonly selection: Selection;
  readonly charges: ChargePage;
  readonly nowMs: number;
  readonly isStoppedByPerson: boolean;
  readonly timeZone: string;
}

/** Shows everything that is stored about one record, without its values. */
export function recordView(page: RecordPage, links: Links): Shown {
  const { look, nowMs, timeZone } = page;
  const name = recordName(look.name);
  return {
    heading: name,
    of: 'credit spend',
    about: html`As of ${instant(nowMs, timeZone)} (${timeZone}) ${hubSpotLink(look.state, links)}`,
    nav: html`${links.to('spend', {}, { words: 'Credit spend' })}
${links.to('waiting', {}, { words: 'Waiting records' })}`,
    main: html`${look.isKnown ? knownRecord(page, links) : html`<section class="panel"><p id="unknown">This record was never looked up.</p></section>`}
${recordSearch(links)}`,
  };
}

function knownRecord(page: RecordPage, links: Links): Html {
  const { look, selection, charges } = page;
  const { state, runs } = look;
  const record = recordKey(state);
  const query = { ...selectionQuery(selection), record };
  const nextSeq = charges.nextSeq;
  return html`<section class="panel" aria-labelledby="state">
<h2 id="state">Status</h2>
<dl class="facts">${facts(page, links)}</dl>
</section>
<section class="panel" aria-labelledby="runs">
<h2 id="runs">Writes</h2>
${runs.length === 0 ? html`<p class="muted">The journal has no writes of this record.</p>` : runTable(page, links)}
</section>
<section class="panel" aria-labelledby="charged">
<h2 id="charged">Paid lookups, ${selectionWords(selection)}</h2>
${chargeTable({ ...page, page: charges, record, isLater: false }, links)}
<p class="pager">${nextSeq === undefined ? links.to('charges', query, { words: 'As a list, or of other days' }) : links.to('charges', { ...query, before: String(nextSeq) }, { words: 'Look further back' })}</p>
</section>`;
}

function facts(page: RecordPage, { stack }: Links): Html[] {
  const { look, timeZone } = page;
  const { name, state } = look;
  const { outcome, staleAtMs, runsOpened, forgottenAtMs, verdicts } = state;
  const at = (ms: number) => instant(ms, timeZone);
  return [
    ...(name.id === state.id ? [] : [fact('Merged into', recordName(state))]),
    fact('State', stateWords(state, { ...page, stack })),
    fact(
      'Last outcome',
      outcome
        ? `${standingWords({ kind: 'ended', outcome }).label}, ${at(outcome.atMs)}. ${explanationText(outcome.reason)}`
        : 'none yet',
    ),
    fact('Total of all runs', `${counted(totalCredits(state), 'credit')}, ${counted(runsOpened, 'run')}`),
    fact('Stale', staleAtMs === undefined ? 'never' : `from ${at(staleAtMs)}`),
    ...verdicts.flatMap(({ rejected, askedAtMs }) =>
      rejected
        ? [fact('Contradicted by an answer', `${at(askedAtMs)}: ${explanationText(rejected.reason)}`)]
        : [],
    ),
    ...(forgottenAtMs === undefined ? [] : [fact('Person forgotten', at(forgottenAtMs))]),
  ];
}

function fact(term: string, words: string): Html {
  return html`<div><dt>${term}</dt><dd>${words}</dd></div>`;
}

function stateWords(
  state: RecordState,
  {
    nowMs,
    isStoppedByPerson,
    timeZone,
    stack,
  }: Pick<RecordPage, 'nowMs' | 'isStoppedByPerson' | 'timeZone'> & Pick<Links, 'stack'>,
): string {
  const { run, claim, staleAtMs } = state;
  const waiting = waitNow(state, isStoppedByPerson);
  const { partition } = recordPlace(state);
  if (claim) return 'In progress.';
  if (waiting) {
    const { why, toDo } = waitingWords(waiting.reason, stack);
    const until = endOfWait({ run, waiting, nowMs }, (atMs) => instant(atMs, timeZone));
    return `${waiting.detail ?? why} Since ${instant(run?.openedAtMs ?? nowMs, timeZone)}. Until ${until}. What to do: ${toDo}`;
  }
  if (partition === 'doubtful')
    return 'It is unknown whether its last request was charged. Resolve the doubt, and the record continues.';
  if (staleAtMs === undefined) return 'Nothing is due.';
  return staleAtMs <= nowMs ? 'Stale: it may be refreshed.' : 'Nothing is due until it is stale.';
}

function runTable({ look, timeZone }: RecordPage, links: Links): Html {
  const { runs, state } = look;
  return dataTable({
    id: 'runs',
    label: 'Runs',
    caption: 'The last runs that wrote something, newest first; names of properties, no values',
    columns: COLUMNS,
    rows: runs.map((run) => runRow(run, { timeZone, links, record: recordKey(state) })),
  });
}

const COLUMNS: readonly Column[] = [
  { words: 'Run' },
  { words: 'For' },
  { words: 'Lookup' },
  { words: 'Properties' },
  { words: 'Credits', isNumber: true },
];

function runRow(
  { run, atMs, purpose, kind, outcome, credits, question, properties }: RunLook,
  { timeZone, links, record }: { timeZone: string; links: Links; record: string },
): (Html | string | undefined)[] {
  const day = dayOf(atMs, timeZone);
  const linkWords = {
    words: figure(credits),
    label: `${counted(credits, 'credit')}: paid lookups of that day`,
  };
  const creditsLink = credits > 0 ? links.to('charges', { from: day, to: day, record }, linkWords) : html`0`;
  const questionCell = question && html`${label(question.operation)}<br>${questionName(question.key)}`;
  return [
    `${run}, ${instant(atMs, timeZone)}`,
    kind === 'undo' ? 'Undo' : `${label(purpose)}, ${STATUS_LABELS[outcome]}`,
    questionCell,
    properties.join(', '),
    creditsLink,
  ];
}
