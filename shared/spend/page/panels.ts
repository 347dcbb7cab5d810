import { refusalSentence } from '#shared/credit-ledger';
import type { BackfillSummary } from '#shared/extensions/backfill';
import { counted, dayAfter, dayOf, figure, type Html, html, percent, shortDay } from '#shared/kernel';
import { eventThatEnds, queuePlace, waitingWords } from '#shared/records';
import type { SpendReport } from '../report.ts';
import { howCounted, type TimedWait, type WaitingLine } from '../waiting.ts';

import { homeLink, type Links } from './links.ts';
import { meter } from './tables.ts';
import { label, timeOfDay } from './words.ts';

/** Shows waiting records, each group with its reason, its next and its last start. Absent if no record waits. */
export function waitingPanel(report: SpendReport, links: Links): Html | undefined {
  const { waiting, timeZone } = report;
  if (!waiting || (waiting.inTurn.length === 0 && waiting.timed.length === 0)) return undefined;
  const { inTurn, timed, many } = waiting;
  const records = [...inTurn, ...timed].reduce((sum, group) => sum + group.records, 0);
  const words = counted(records, 'record');
  return html`<section class="panel" aria-labelledby="waiting">
<div class="head"><h2 id="waiting">Waiting</h2><p class="muted">${links.to('waiting', {}, { words, label: `Waiting: ${words}` })}</p></div>
<ul class="rows">${inTurn.map((line) => queuedRow(line, report, links))}${timed.map((wait) => timedRow(wait, report, links))}</ul>
${many && html`<p class="muted" id="how-counted">${howCounted(many, timeZone)}</p>`}
</section>`;
}

interface WaitingRow {
  /** Names the group in the page's source, for programs that read it. */
  readonly name: string;
  readonly title: Html | string;
  readonly why: string;
  readonly records: string;
  readonly ends: string;
}

function waitingRow({ name, title, why, records, ends }: WaitingRow): Html {
  return html`<li data-wait="${name}"><b>${title}</b> <b>${records}</b>
<span class="muted">${why}</span> <span>${ends}</span></li>`;
}

function queuedRow(line: WaitingLine, report: SpendReport, links: Links): Html {
  const { purpose, records, reason, refusal } = line;
  const text = { words: label(purpose), label: `${label(purpose)}: ${counted(records, 'record')}` };
  return waitingRow({
    name: purpose,
    title: links.to('waiting', { place: queuePlace(purpose) }, text),
    why: refusal ? refusalSentence(refusal) : waitingWords(reason ?? 'queued', links.stack).why,
    records: figure(records),
    ends: queueEnds(line, report),
  });
}

function queueEnds({ reason, refusal, days }: WaitingLine, report: SpendReport): string {
  if (reason) return `Until ${eventThatEnds(reason)}`;
  const next = refusal ? momentWords(refusal.opensAtMs, report) : 'now';
  const last =
    days === undefined ? 'leads use the whole budget' : dayWords(dayAfter(report.today, days), report);
  return `Next: ${next}. Last: ${last}`;
}

/** Maximum number of rules in one row. */
const SHOWN_RULES = 3;

function timedRow(wait: TimedWait, report: SpendReport, { stack }: Links): Html {
  const { reason, records, isMore, rules = [], earliestMs, latestMs, objectType } = wait;
  const end = eventThatEnds(reason);
  const [next, last] = [earliestMs, latestMs].map((ms) =>
    momentWords(Math.max(ms, report.generatedAtMs), report),
  );
  const more = rules.length > SHOWN_RULES ? ` And ${counted(rules.length - SHOWN_RULES, 'rule')} more.` : '';
  const { why, toDo } = waitingWords(reason, stack);
  return waitingRow({
    name: reason,
    title: rules.length > 0 ? `${rules.slice(0, SHOWN_RULES).join(' ')}${more}` : why,
    why: objectType ? `${objectType}. ${toDo}` : toDo,
    records: `${figure(records)}${isMore ? ' or more' : ''}`,
    ends: end ? `Until ${end}` : isMore || next === last ? `Next: ${next}` : `Next: ${next}. Last: ${last}`,
  });
}

type Moment = Pick<SpendReport, 'today' | 'timeZone'>;

/** `18:08`, `tomorrow, 00:00`, `2 Dec, 08:00`. */
function momentWords(atMs: number, moment: Moment): string {
  const day = dayOf(atMs, moment.timeZone);
  const time = timeOfDay(atMs, moment.timeZone);
  return day === moment.today ? time : `${dayWords(day, moment)}, ${time}`;
}

function dayWords(day: string, { today }: Pick<Moment, 'today'>): string {
  if (day === today) return 'today';
  return day === dayAfter(today) ? 'tomorrow' : shortDay(day);
}

/** Number of backfills that are not folded. */
const BACKFILLS_IN_SIGHT = 4;
const ENDED: ReadonlySet<string> = new Set<BackfillSummary['state']>(['done', 'stopped']);

/** Shows started backfills: those that have not ended, then the newest ended ones. Older ones are folded. */
export function backfillPanel({ backfills = [] }: SpendReport, links: Links): Html | undefined {
  if (backfills.length === 0) return undefined;
  const sorted = backfills.toSorted((a, b) => Number(ENDED.has(a.state)) - Number(ENDED.has(b.state)));
  const rows = sorted.map(backfillRow);
  const older = rows.slice(BACKFILLS_IN_SIGHT);
  return html`<section class="panel" aria-labelledby="backfills">
<div class="head"><h2 id="backfills">Backfills</h2><p class="muted">${homeLink(links, 'Pause or approve in HubSpot')}</p></div>
<ul class="rows">${rows.slice(0, BACKFILLS_IN_SIGHT)}</ul>
${older.length > 0 ? html`<details class="fold"><summary>${counted(older.length, 'older backfill')}</summary><ul class="rows">${older}</ul></details>` : undefined}
</section>`;
}

function backfillRow(backfill: BackfillSummary): Html {
  const { id, objectType, scope, ended, records, matchRate, filled, others, spent, quote, expected } =
    backfill;
  const results = [
    ...(matchRate === undefined ? [] : [`${percent(matchRate)} matched`]),
    `${figure(filled)} filled`,
    ...(others > 0 ? [`${figure(others)} not looked up, or failed`] : []),
  ];
  const limits = [
    ...(quote ? [`of at most ${figure(quote.atMost)}`] : []),
    'credits',
    ...(expected === undefined || expected === quote?.atMost || ENDED.has(backfill.state)
      ? []
      : [`(expected ${figure(expected)})`]),
  ];
  return html`<li data-backfill="${id}"><b>${objectType}, ${scope}</b> <span>${stateWords(backfill)}</span>
<span class="muted">${meter(records === 0 ? 1 : ended / records)}${figure(ended)} of ${figure(records)}: ${results.join(', ')}</span> <span class="muted">${figure(spent)} ${limits.join(' ')}</span></li>`;
}

function stateWords({ state, pause, holding }: BackfillSummary): string {
  if (pause) return `${state}: ${pause.reason}`;
  return holding ? `${state}; ${holding.reason}` : state;
}
