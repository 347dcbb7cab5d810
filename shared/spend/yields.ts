import { type Purpose, sourceOfAsker } from '#shared/crm';
import { matchRateIn, type YieldCount, type YieldKind } from '#shared/records';
import type { Charge } from './charges.ts';
import type { SpendRow } from './schemas.ts';
import { sum, WITHOUT_ASKER, WITHOUT_RULE } from './selection.ts';

/** Groupings of the results table. Runs are not counted by operation, so its results are those of its charges. */
export const YIELD_PARTS = ['purpose', 'source', 'rule', 'operation'] as const;

export type YieldPart = (typeof YIELD_PARTS)[number];

/** Credits of one part, with the results of its runs. */
export interface SpendYield extends RunYield {
  /** Purpose, source (`source:IMPORT`, `user`), rule of the policy, or operation. */
  readonly name: string;
  readonly credits: number;
  readonly charges: number;
  /** Charges with a match. */
  readonly matches: number;
  /** Credits of charges without a match. */
  readonly wastedCredits: number;
  /** Share of matches among answered runs, 0 to 1. Absent if no run was answered. */
  readonly matchRate?: number;
  /** Credits, with fractions. Absent if no field was filled. */
  readonly costPerFilledField?: number;
}

/** Runs by result. */
interface RunYield {
  readonly filledRecords: number;
  readonly filledFields: number;
  readonly unmatched: number;
  /** Runs whose answer contradicts the record, so a person must decide. */
  readonly review: number;
  /** Runs without a lookup. */
  readonly skipped: number;
}

/** Returns the name of the part to which a charge or runs belong. */
const NAMES: Readonly<Record<YieldPart, (row: NamedRow) => string>> = {
  purpose: ({ purpose }) => purpose,
  source: ({ source = WITHOUT_ASKER }) => source,
  rule: ({ rule = WITHOUT_RULE }) => rule,
  operation: ({ operation = '' }) => operation,
};

type NamedRow = Pick<YieldCount, 'purpose' | 'source' | 'rule'> & Partial<Pick<SpendRow, 'operation'>>;

/**
 * Lists the parts with a charge or a run, most expensive first. The list by rule is empty if the policy has no rules.
 */
export function yieldsBy(
  part: YieldPart,
  { rows, brought }: { readonly rows: readonly SpendRow[]; readonly brought: readonly YieldCount[] },
): SpendYield[] {
  const nameOf = NAMES[part];
  const spent = Map.groupBy(rows, ({ askedBy = WITHOUT_ASKER, ...row }) =>
    nameOf({ ...row, source: sourceOfAsker(askedBy) }),
  );
  const runs = Map.groupBy(part === 'operation' ? [] : brought, nameOf);
  const names = [...new Set([...spent.keys(), ...runs.keys()])];
  if (part === 'rule' && names.every((name) => name === WITHOUT_RULE)) return [];
  return names
    .map((name) => yieldOf(name, spent.get(name) ?? [], runs.get(name) ?? []))
    .sort((a, b) => b.credits - a.credits || (a.name < b.name ? -1 : 1));
}

function yieldOf(name: string, rows: readonly SpendRow[], brought: readonly YieldCount[]): SpendYield {
  const { credits, count: charges } = sum(rows);
  const matched = sum(rows.filter(({ outcome }) => outcome === 'match'));
  const filledFields = brought.reduce((fields, row) => fields + row.fields, 0);
  const matchRate = matchRateIn(brought);
  return {
    name,
    credits,
    charges,
    matches: matched.count,
    wastedCredits: credits - matched.credits,
    filledRecords: runsOf(brought, ['filled']),
    filledFields,
    unmatched: runsOf(brought, ['unmatched']),
    review: runsOf(brought, ['review']),
    skipped: runsOf(brought, ['skipped']),
    ...(matchRate !== undefined && { matchRate }),
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
  };
}

function runsOf(rows: readonly YieldCount[], kinds: readonly YieldKind[]): number {
  return rows.reduce((all, { kind, runs }) => all + (kinds.includes(kind) ? runs : 0), 0);
}

/** Results of the credits of some days. Runs and fields belong to the same days. */
export interface SpendResults {
  /** Filled records. A record that was filled in two runs counts twice. */
  readonly filledRecords: number;
  readonly filledFields: number;
  /** Share of matches among answered runs, 0 to 1. Absent if no run was answered. */
  readonly matchRate?: number;
  /** Credits, with fractions. */
  readonly costPerFilledRecord?: number;
  readonly costPerFilledField?: number;
  /** Runs of the refresh, by result. */
  readonly refresh: RefreshFound;
}

interface RefreshFound {
  readonly changed: number;
  readonly unchanged: number;
  /** Deleted in HubSpot, or no longer known to the data service. */
  readonly gone: number;
}

/** @param credits credits spent on the same days. */
export function spendResults(rows: readonly YieldCount[], credits: number): SpendResults {
  const runs = (...kinds: YieldKind[]) => runsOf(rows, kinds);
  const filledFields = rows.reduce((sum, { fields }) => sum + fields, 0);
  const filledRecords = runs('filled');
  const matchRate = matchRateIn(rows);
  const refreshed = rows.filter(({ purpose }) => purpose === 'refresh');
  return {
    filledRecords,
    filledFields,
    ...(matchRate !== undefined && { matchRate }),
    ...(filledRecords > 0 && { costPerFilledRecord: credits / filledRecords }),
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
    refresh: {
      changed: runsOf(refreshed, ['filled']),
      unchanged: runsOf(refreshed, ['confirmed']),
      gone: runsOf(refreshed, ['gone', 'unmatched']),
    },
  };
}

/** Sum of the charges of one record. */
export interface RecordSpend {
  /** `contacts#123`. */
  readonly record: string;
  readonly credits: number;
  /** Number of charges. */
  readonly count: number;
  readonly purposes: readonly Purpose[];
  /** Rules of the policy. A charge from before the policy had rules has no rule. */
  readonly rules: readonly string[];
  /** A charge from before the asker was stored has no asker. */
  readonly askers: readonly string[];
}

export interface DearestRecords {
  /** Most expensive first. */
  readonly records: readonly RecordSpend[];
  /** Number of further records, which are left out. */
  readonly moreRecords: number;
  /** Credits of charges without a record: searches and lookups of the command line. */
  readonly unnamedCredits: number;
}

const MAX_RECORDS = 50;

export function dearestRecords(charges: readonly Charge[]): DearestRecords {
  const withRecord = charges.flatMap((charge) =>
    charge.record === undefined ? [] : [{ ...charge, record: charge.record, count: 1 }],
  );
  const records = [...Map.groupBy(withRecord, ({ record }) => record)]
    .map(([record, ofRecord]) => ({
      record,
      ...sum(ofRecord),
      purposes: [...new Set(ofRecord.map(({ purpose }) => purpose))],
      rules: [...new Set(ofRecord.flatMap(({ rule }) => rule ?? []))],
      askers: [...new Set(ofRecord.flatMap(({ askedBy }) => askedBy ?? []))],
    }))
    .sort((a, b) => b.credits - a.credits || (a.record < b.record ? -1 : 1));
  const totalCredits = charges.reduce((credits, charge) => credits + charge.credits, 0);
  return {
    records: records.slice(0, MAX_RECORDS),
    moreRecords: Math.max(0, records.length - MAX_RECORDS),
    unnamedCredits: totalCredits - sum(withRecord).credits,
  };
}
