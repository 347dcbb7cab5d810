import { daysUpTo, monthOfDay } from '#shared/kernel';
import type { YieldCount } from '#shared/records';
import type { SpendRow } from './schemas.ts';
import { freeMissesOf, sum, WITHOUT_ASKER, WITHOUT_RULE } from './selection.ts';
import type { SpendBook } from './spend-book.ts';

/** Groupings of the results table. Runs are not counted by operation, so it has no filled fields. */
export const YIELD_PARTS = ['purpose', 'source', 'rule', 'operation'] as const;

export type YieldPart = (typeof YIELD_PARTS)[number];

/** Credits of some charges, and the results of the runs of the same days. Absent results are unknown. */
export interface Results {
  readonly credits: number;
  readonly charges: number;
  /** Credits of charges that were answered without a match. A booked doubt is none of them. */
  readonly wastedCredits: number;
  /** Share of matches among the lookups that were answered, 0 to 1. A free miss counts. Absent if none was answered. */
  readonly matchRate?: number;
  readonly filledFields?: number;
  /** Credits, with fractions. Absent if no field was filled. */
  readonly costPerFilledField?: number;
}

/** Results of one part. */
export interface SpendYield extends Results {
  /** Purpose, source (`source:IMPORT`, `user`), rule of the policy, or operation. */
  readonly name: string;
}

type NamedRow = Pick<YieldCount, 'purpose' | 'source' | 'rule'> & Partial<Pick<SpendRow, 'operation'>>;

/** Returns the name of the part to which a charge or runs belong. */
const NAMES: Readonly<Record<YieldPart, (row: NamedRow) => string>> = {
  purpose: ({ purpose }) => purpose,
  source: ({ source = WITHOUT_ASKER }) => source,
  rule: ({ rule = WITHOUT_RULE }) => rule,
  operation: ({ operation = '' }) => operation,
};

/**
 * Lists the parts with a charge or a run, most expensive first. The list by rule is empty if the policy has no rules.
 * @param runs absent if runs are not counted.
 */
export function yieldsBy(
  part: YieldPart,
  rows: readonly SpendRow[],
  runs: readonly YieldCount[] | undefined,
): SpendYield[] {
  const nameOf = NAMES[part];
  const spent = Map.groupBy(rows, ({ askedBy: source, ...row }) => nameOf({ ...row, source }));
  const ran = part === 'operation' ? undefined : runs && Map.groupBy(runs, nameOf);
  const names = [...new Set([...spent.keys(), ...(ran?.keys() ?? [])])];
  if (part === 'rule' && names.every((name) => name === WITHOUT_RULE)) return [];
  return names
    .map((name) => ({ name, ...yieldOf(spent.get(name) ?? [], ran && (ran.get(name) ?? [])) }))
    .sort((a, b) => b.credits - a.credits || (a.name < b.name ? -1 : 1));
}

/** @param runs absent if runs are not counted. */
export function yieldOf(rows: readonly SpendRow[], runs: readonly YieldCount[] | undefined): Results {
  const { credits, count: charges } = sum(rows);
  const matched = sum(rows.filter(({ outcome }) => outcome === 'match'));
  const missed = sum(rows.filter(({ outcome }) => outcome === 'no-match'));
  const answered = matched.count + missed.count + freeMissesOf(rows);
  const matchRate = answered > 0 && { matchRate: matched.count / answered };
  const spent = { credits, charges, wastedCredits: missed.credits, ...matchRate };
  if (!runs) return spent;
  const filledFields = runs.reduce((fields, row) => fields + row.fields, 0);
  return {
    ...spent,
    filledFields,
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
  };
}

const RECENT_DAYS = 30;

/** Returns the match rate of the last 30 days, today included; `undefined` without an answered lookup. */
export async function recentMatchRate(
  spendBook: Pick<SpendBook, 'read'>,
  today: string,
): Promise<number | undefined> {
  const days = daysUpTo(today, RECENT_DAYS);
  const { rows } = await spendBook.read({ months: [...new Set(days.map(monthOfDay))] });
  return yieldOf(
    rows.filter(({ day }) => days.includes(day)),
    undefined,
  ).matchRate;
}
