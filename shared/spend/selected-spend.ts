import { PURPOSES, type Purpose } from '#shared/crm';
import { dayOf, monthOfDay } from '#shared/kernel';
import type { SpendRow } from './schemas.ts';
import { daysOf, holdsUnnamed, isSelected, type Selection, wholeMonth } from './selection.ts';

/** Credits and number of charges. */
export interface Spend {
  readonly credits: number;
  readonly count: number;
}

export interface DaySpend extends Spend {
  readonly day: string;
  /** The day's credits by purpose. It has only purposes with credits, in the order of `PURPOSES`. */
  readonly purposes: readonly { readonly purpose: Purpose; readonly credits: number }[];
}

export interface Share extends Spend {
  readonly name: string;
  /** Share of the selection's credits, 0 to 1. */
  readonly share: number;
}

/** The spend of a selection, in total and in groups. */
export interface SelectedSpend {
  /** This month unless another range or a filter was picked. */
  readonly selection: Selection;
  readonly isPicked: boolean;
  /** The sums may lack charges of the selected asker, whom some days do not name. The list of charges has all. */
  readonly lacksUnnamed?: true;
  readonly selected: Spend;
  /** Days of the selection up to today, oldest first, including days without spend. */
  readonly byDay: readonly DaySpend[];
  /** This list and the next two lists are sorted, the most expensive first. */
  readonly byOperation: readonly Share[];
  readonly byPurpose: readonly Share[];
  readonly byOutcome: readonly Share[];
}

interface Moment {
  readonly nowMs: number;
  readonly timeZone: string;
}

/** @param rows rows of all months of the selection. May include other rows. */
export function spendOf(
  rows: readonly SpendRow[],
  { picked, nowMs, timeZone }: Moment & { readonly picked?: Selection | undefined },
): SelectedSpend {
  const today = dayOf(nowMs, timeZone);
  const selection = picked ?? wholeMonth(monthOfDay(today));
  const selected = rows.filter((row) => isSelected(selection, row));
  const byDay = Map.groupBy(selected, ({ day }) => day);
  const days = daysOf(selection).filter((day) => day <= today || byDay.has(day));
  return {
    selection,
    isPicked: picked !== undefined,
    ...(rows.some((row) => holdsUnnamed(row, selection)) && { lacksUnnamed: true }),
    selected: sum(selected),
    byDay: days.map((day) => {
      const ofDay = byDay.get(day) ?? [];
      const purposes = PURPOSES.map((purpose) => ({
        purpose,
        credits: sum(ofDay.filter((row) => row.purpose === purpose)).credits,
      }));
      return { day, ...sum(ofDay), purposes: purposes.filter(({ credits }) => credits > 0) };
    }),
    byOperation: shares(selected, ({ operation }) => operation),
    byPurpose: shares(selected, ({ purpose }) => purpose),
    byOutcome: shares(selected, ({ outcome }) => outcome),
  };
}

export function sum(rows: readonly SpendRow[]): Spend {
  return rows.reduce(
    ({ credits, count }, row) => ({ credits: credits + row.credits, count: count + row.count }),
    { credits: 0, count: 0 },
  );
}

function shares(rows: readonly SpendRow[], nameOf: (row: SpendRow) => string): Share[] {
  const totalCredits = sum(rows).credits;
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, ofName]) => ({ name, ...sum(ofName) }))
    .map((spend) => ({ ...spend, share: totalCredits === 0 ? 0 : spend.credits / totalCredits }))
    .sort((a, b) => b.credits - a.credits || (a.name < b.name ? -1 : 1));
}
