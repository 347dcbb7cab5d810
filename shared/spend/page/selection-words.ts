import { monthOfDay } from '#shared/credit-ledger/calendar.ts';
import { longDay, longMonth } from '../figures.ts';
import { isWholeMonth, type Selection } from '../selection.ts';
import { label } from './labels.ts';

/** `November 2026`, `14 Nov 2026`, `30 Oct 2026 to 2 Nov 2026`. */
export function rangeWords({ from, to }: Pick<Selection, 'from' | 'to'>): string {
  if (isWholeMonth({ from, to })) return longMonth(monthOfDay(from));
  return from === to ? longDay(from) : `${longDay(from)} to ${longDay(to)}`;
}

/** The range, and what else was picked: `November 2026, only: Imports, No match`. */
export function selectionWords(selection: Selection): string {
  const { purpose, operation, outcome } = selection;
  const only = [purpose, operation, outcome].filter((each) => each !== undefined).map(label);
  return only.length === 0 ? rangeWords(selection) : `${rangeWords(selection)}, only: ${only.join(', ')}`;
}
