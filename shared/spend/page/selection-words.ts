import { longDay, longMonth, monthOfDay } from '#shared/kernel';
import { isWholeMonth, type Selection } from '../selection.ts';
import { askerLabel, label } from './labels.ts';

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

/** Says that the sums of a selection do not include askers that a day does not name. */
export const UNNAMED_NOT_INCLUDED =
  'Some days have more than 10 such askers, and their sums name only the first 10. The list of charges is complete.';

interface Listed {
  readonly selection: Selection;
  /** Key of the record, if only its charges are listed. */
  readonly record?: string | undefined;
  /** True if newer charges are on an earlier page. */
  readonly isLater?: boolean | undefined;
}

/** Explains an empty list by its range and filters, because the range may hold charges that the filters leave out. */
export function noCharge({ selection, record, isLater = false }: Listed): string {
  const what = isLater ? 'No older charge' : 'No charge';
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
