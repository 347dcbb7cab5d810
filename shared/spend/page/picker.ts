import { PURPOSES } from '#shared/crm';
import { type Html, html, longMonth, monthBefore, monthOfDay } from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { CHARGE_OUTCOMES } from '../schemas.ts';
import { type Query, type Selection, selectionQuery, weeksBefore } from '../selection.ts';
import { askerLabel, label } from './labels.ts';
import type { Links, View } from './links.ts';

export interface Picker {
  readonly selection: Selection;
  /** The view that shows the form. */
  readonly view: View;
  readonly today: string;
  readonly links: Links;
  /** Additional fields of the view, which the form keeps. */
  readonly more?: Html | undefined;
}

const MONTHS = 3;

/** Shows a form for the range and filters, with links to the last weeks and months. */
export function picker({ selection, view, today, links, more }: Picker): Html {
  const { from, to, purpose, operation, outcome, rule, askedBy } = selection;
  const fields = html`${more}
${day('from', 'From', from)}
${day('to', 'To', to)}
${choice('purpose', 'Purpose', { of: PURPOSES, chosen: purpose })}
${choice('operation', 'Operation', { of: QUESTION_OPERATIONS, chosen: operation })}
${choice('outcome', 'Outcome', { of: CHARGE_OUTCOMES, chosen: outcome })}
${rule === undefined ? undefined : choice('rule', 'Rule', { of: [rule], chosen: rule })}
${choice('askedBy', 'Asked by', { of: askersToChoose(askedBy), chosen: askedBy, words: askerLabel })}
`;
  return html`<div class="head picking">${links.form(view, { fields, button: 'Show' })}
<p class="months">${rangeLinks(today, { selection, view, links }).map((link) => html`${link} `)}</p></div>`;
}

/** Links to the ranges that people ask for most. Each link keeps the filters. */
function rangeLinks(
  today: string,
  { selection, view, links }: Pick<Picker, 'selection' | 'view' | 'links'>,
): Html[] {
  const { from: _, to: _to, month: _month, ...filters } = selectionQuery(selection);
  const link = (range: Query, words: string) => links.to(view, { ...filters, ...range }, { words });
  const { last7Days, lastWeek } = weeksBefore(today);
  return [
    link({ ...last7Days }, 'Last 7 days'),
    link({ ...lastWeek }, 'Last week'),
    ...lastMonths(today).map((month) => link({ month }, longMonth(month))),
  ];
}

function day(name: string, words: string, value: string): Html {
  return html`<label>${words} <input type="date" name="${name}" value="${value}" required></label>`;
}

function choice(
  name: string,
  words: string,
  {
    of,
    chosen,
    words: wordsOf = label,
  }: {
    readonly of: readonly string[];
    readonly chosen: string | undefined;
    readonly words?: (name: string) => string;
  },
): Html {
  return html`<label>${words} <select name="${name}"><option value="">all</option>${of.map((each) => html`<option value="${each}"${each === chosen ? SELECTED : undefined}>${wordsOf(each)}</option>`)}</select></label>`;
}

/** Offers only these askers. The table of results and the charges link to every other asker. */
const ASKERS = [
  'user',
  'workflow',
  'source:FORM',
  'source:IMPORT',
  'source:INTEGRATION',
  'schedule',
  'backfill',
];

function askersToChoose(chosen: string | undefined): readonly string[] {
  return chosen === undefined || ASKERS.includes(chosen) ? ASKERS : [...ASKERS, chosen];
}

const SELECTED = html` selected`;

function lastMonths(today: string): string[] {
  const months = [monthOfDay(today)];
  while (months.length < MONTHS) months.unshift(monthBefore(months[0] ?? ''));
  return months;
}
