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
      ...{ record, ...sum(ofRecord) },
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
