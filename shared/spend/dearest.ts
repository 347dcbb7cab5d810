import type { Purpose } from '#shared/crm';
import type { Charge } from './charges.ts';
import { sum } from './selected-spend.ts';

/** Sum of the charges of one record. */
export interface RecordSpend {
  /** `contacts#123`. */
  readonly record: string;
  readonly credits: number;
  /** Number of charges. */
  readonly count: number;
  readonly purposes: readonly Purpose[];
  /** Rules of the policy. Charges from before the policy had rules have none. */
  readonly rules: readonly string[];
  /** Charges from before the asker was kept have none. */
  readonly askers: readonly string[];
}

export interface DearestRecords {
  /** Most expensive first. */
  readonly records: readonly RecordSpend[];
  /** Number of further records. */
  readonly moreRecords: number;
  /** Credits of charges without a record: searches for many companies, and lookups without a record. */
  readonly unnamedCredits: number;
}

const MAX_RECORDS = 50;

export function dearestRecords(charges: readonly Charge[]): DearestRecords {
  const named = charges.flatMap((charge) =>
    charge.record === undefined ? [] : [{ ...charge, record: charge.record, count: 1 }],
  );
  const records = [...Map.groupBy(named, ({ record }) => record)]
    .map(([record, own]) => ({
      ...{ record, ...sum(own) },
      purposes: [...new Set(own.map(({ purpose }) => purpose))],
      rules: [...new Set(own.flatMap(({ rule }) => rule ?? []))],
      askers: [...new Set(own.flatMap(({ askedBy }) => askedBy ?? []))],
    }))
    .sort((a, b) => b.credits - a.credits || (a.record < b.record ? -1 : 1));
  const all = charges.reduce((credits, charge) => credits + charge.credits, 0);
  return {
    records: records.slice(0, MAX_RECORDS),
    moreRecords: Math.max(0, records.length - MAX_RECORDS),
    unnamedCredits: all - sum(named).credits,
  };
}
