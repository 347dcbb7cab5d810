import { PURPOSES } from '#shared/crm';
import { type Html, html, longMonth, monthBefore, monthOfDay } from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import { CHARGE_OUTCOMES } from '../schemas.ts';
import { type Selection, selectionQuery } from '../selection.ts';
import { label } from './labels.ts';
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

/** Shows a form for the range and filters, with links to the last months. */
export function picker({ selection, view, today, links, more }: Picker): Html {
  const { from, to, purpose, operation, outcome, rule } = selection;
  const fields = html`${more}
${day('from', 'From', from)}
${day('to', 'To', to)}
${choice('purpose', 'Purpose', { of: PURPOSES, chosen: purpose })}
${choice('operation', 'Operation', { of: QUESTION_OPERATIONS, chosen: operation })}
${choice('outcome', 'Outcome', { of: CHARGE_OUTCOMES, chosen: outcome })}
${rule === undefined ? undefined : choice('rule', 'Rule', { of: [rule], chosen: rule })}
`;
  return html`<div class="head picking">${links.form(view, { fields, button: 'Show' })}
<p class="months">${lastMonths(today).map((month) => html`${monthLink(month, { selection, view, links })} `)}</p></div>`;
}

function monthLink(
  month: string,
  { selection, view, links }: Pick<Picker, 'selection' | 'view' | 'links'>,
): Html {
  const { from: _, to: _to, ...filters } = selectionQuery(selection);
  return links.to(view, { ...filters, month }, { words: longMonth(month) });
}

function day(name: string, words: string, value: string): Html {
  return html`<label>${words} <input type="date" name="${name}" value="${value}" required></label>`;
}

function choice(
  name: string,
  words: string,
  { of, chosen }: { readonly of: readonly string[]; readonly chosen: string | undefined },
): Html {
  return html`<label>${words} <select name="${name}"><option value="">all</option>${of.map((each) => html`<option value="${each}"${each === chosen ? SELECTED : undefined}>${label(each)}</option>`)}</select></label>`;
}

const SELECTED = html` selected`;

function lastMonths(today: string): string[] {
  const months = [monthOfDay(today)];
  while (months.length < MONTHS) months.unshift(monthBefore(months[0] ?? ''));
  return months;
}
