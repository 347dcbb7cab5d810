import { matchRateIn, type YieldCount } from '#shared/records';
import type { SpendRow } from './schemas.ts';
import { sum, WITHOUT_ASKER, WITHOUT_RULE } from './selection.ts';

/** Groupings of the results table. Runs are not counted by operation, so its results are those of its charges. */
export const YIELD_PARTS = ['purpose', 'source', 'rule', 'operation'] as const;

export type YieldPart = (typeof YIELD_PARTS)[number];

/** Credits of some charges, and the results of the runs of the same days. Absent results are unknown. */
export interface Results {
  readonly credits: number;
  readonly charges: number;
  /** Credits of charges without a match. */
  readonly wastedCredits: number;
  /** Share of matches among answered runs, 0 to 1. Absent if no run was answered. */
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
  const spent = { credits, charges, wastedCredits: credits - matched.credits };
  if (!runs) return spent;
  const filledFields = runs.reduce((fields, row) => fields + row.fields, 0);
  const matchRate = matchRateIn(runs);
  return {
    ...spent,
    filledFields,
    ...(matchRate !== undefined && { matchRate }),
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
  };
}
