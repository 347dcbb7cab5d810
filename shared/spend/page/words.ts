import { budgetParts } from '#shared/credit-ledger';
import { askerWords, PURPOSE_LABELS } from '#shared/crm';
import { type Html, html, instant, longDay, longMonth, monthOfDay } from '#shared/kernel';
import { LOOKUPS } from '#shared/questions';
import type { SpendReport } from '../report.ts';
import type { ChargeOutcome } from '../schemas.ts';
import { isWholeMonth, type Selection, WITHOUT_ASKER } from '../selection.ts';

const OUTCOMES: Readonly<Record<ChargeOutcome, string>> = {
  match: 'Match',
  'no-match': 'No match',
  late: 'Charge proved late',
  other: 'Unknown outcome, booked as charged',
};

const LABELS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LOOKUPS).map(([name, lookup]) => [name, lookup.label] as const),
  ...Object.entries(PURPOSE_LABELS),
  ...Object.entries(OUTCOMES),
]);

/** Returns the name that people read. An unknown name is returned unchanged. */
export function label(name: string): string {
  return LABELS.get(name) ?? name;
}

/** The asker of a charge for a person. */
export function askerLabel(askedBy: string | undefined): string {
  return askerWords(askedBy ?? WITHOUT_ASKER);
}

/** Returns `Scheduled refresh, per day` for `refresh/day`. */
export function budgetLabel(budget: string): string {
  const { scope, period } = budgetParts({ budget });
  if (!period) return budget;
  return `${scope === 'total' ? 'All spend' : label(scope)}, per ${period}`;
}

/** Returns the text that follows a number of credits, such as ` (€12.50)`. Empty if the policy has no price. */
export function moneyFor(credits: number, { creditPrice }: Pick<SpendReport, 'creditPrice'>): string {
  if (!creditPrice) return '';
  const { amount, currency } = creditPrice;
  return ` (${new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(credits * amount)})`;
}

/**
 * Says that the figures are read for this view, and from when they are. A page that stays open longer than a minute says
 * in amber how many minutes old it is, by its style sheet.
 */
export function ageWords(atMs: number, timeZone: string): Html {
  return html`<span class="age"><span>Live. </span>Figures of ${instant(atMs, timeZone)} (${timeZone})</span>`;
}

/** Returns the time of day: `17:11`. */
export function timeOfDay(atMs: number, timeZone: string): string {
  return instant(atMs, timeZone).slice(-5);
}

/**
 * Returns the range, such as `November 2026`, `14 Nov 2026` or `30 Oct 2026 to 2 Nov 2026`. The filters follow, such as
 * `, only: Imports, No match`.
 */
export function selectionWords(selection: Selection): string {
  return `${rangeWords(selection)}${filterWords(selection)}`;
}

/** Returns the same for use in a sentence: `in November 2026`, `on 14 Nov 2026`, `from 30 Oct 2026 to 2 Nov 2026`. */
export function inSelection(selection: Selection): string {
  const { from, to } = selection;
  const preposition = from === to ? 'on' : 'from';
  return `${isWholeMonth(selection) ? 'in' : preposition} ${selectionWords(selection)}`;
}

interface Listed {
  readonly selection: Selection;
  /** Key of the record, if only its charges are listed. */
  readonly record?: string | undefined;
  /** True if newer charges are on an earlier page. */
  readonly isLater?: boolean | undefined;
}

/** Explains an empty list by its range and filters, because the range may hold charges that the filters leave out. */
export function noCharge({ selection, record, isLater = false }: Listed): string {
  const what = isLater ? 'No older paid lookup' : 'No paid lookup';
  if (record === undefined) return `${what} ${inSelection(selection)}.`;
  return `${what} for this record ${inSelection(selection)}.`;
}

function rangeWords({ from, to }: Selection): string {
  if (isWholeMonth({ from, to })) return longMonth(monthOfDay(from));
  return from === to ? longDay(from) : `${longDay(from)} to ${longDay(to)}`;
}

function filterWords({ purpose, operation, outcome, rule, askedBy }: Selection): string {
  const only = [purpose, operation, outcome].filter((each) => each !== undefined).map(label);
  if (rule !== undefined) only.push(`rule "${rule}"`);
  if (askedBy !== undefined) only.push(`asked by ${askerLabel(askedBy)}`);
  return only.length === 0 ? '' : `, only: ${only.join(', ')}`;
}
