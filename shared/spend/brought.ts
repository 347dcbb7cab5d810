import type { Brought, BroughtKind } from '#shared/records';

/** The yield of the credits of some days. Runs and fields are of the same days. */
export interface WhatItBrought {
  /** Records that were filled; one that was filled in two runs counts twice. */
  readonly filledRecords: number;
  readonly filledFields: number;
  /** Share of matches among answered runs, 0 to 1; absent without an answered run. */
  readonly matchRate?: number;
  /** In credits, with a fraction. */
  readonly costPerFilledRecord?: number;
  readonly costPerFilledField?: number;
  /** By the policy's rules, in alphabetical order; empty where the policy had none. */
  readonly rules: readonly RuleYield[];
  /** Runs of the refresh, by what they found. */
  readonly refresh: RefreshFound;
}

/** Runs of one rule's records, counted by outcome. */
export interface RuleYield {
  readonly rule: string;
  readonly filledRecords: number;
  readonly filledFields: number;
  readonly confirmed: number;
  readonly unmatched: number;
  /** The answer contradicts the record: a person has to decide. */
  readonly review: number;
  /** Not looked up. */
  readonly skipped: number;
}

export interface RefreshFound {
  readonly changed: number;
  readonly unchanged: number;
  /** Deleted in HubSpot, or no longer known to the data service. */
  readonly gone: number;
  /** Skipped, failed or in review. */
  readonly other: number;
}

/** @param credits of the same days. */
export function whatItBrought(rows: readonly Brought[], credits: number): WhatItBrought {
  const runs = (...kinds: BroughtKind[]) => runsOf(rows, kinds);
  const filledFields = rows.reduce((sum, { fields }) => sum + fields, 0);
  const filledRecords = runs('filled');
  const matched = runs('filled', 'confirmed');
  const answered = matched + runs('unmatched', 'review');
  const refreshed = rows.filter(({ purpose }) => purpose === 'refresh');
  return {
    filledRecords,
    filledFields,
    ...(answered > 0 && { matchRate: matched / answered }),
    ...(filledRecords > 0 && { costPerFilledRecord: credits / filledRecords }),
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
    rules: rulesOf(rows),
    refresh: {
      changed: runsOf(refreshed, ['filled']),
      unchanged: runsOf(refreshed, ['confirmed']),
      gone: runsOf(refreshed, ['gone', 'unmatched']),
      other: runsOf(refreshed, ['skipped', 'failed', 'review']),
    },
  };
}

function rulesOf(rows: readonly Brought[]): RuleYield[] {
  const ruled = rows.flatMap((row) => (row.rule === undefined ? [] : [{ ...row, rule: row.rule }]));
  return [...Map.groupBy(ruled, ({ rule }) => rule)]
    .map(([rule, own]) => ({
      rule,
      filledRecords: runsOf(own, ['filled']),
      filledFields: own.reduce((sum, { fields }) => sum + fields, 0),
      confirmed: runsOf(own, ['confirmed']),
      unmatched: runsOf(own, ['unmatched']),
      review: runsOf(own, ['review']),
      skipped: runsOf(own, ['skipped']),
    }))
    .sort((a, b) => (a.rule < b.rule ? -1 : 1));
}

function runsOf(rows: readonly Brought[], kinds: readonly BroughtKind[]): number {
  return rows.reduce((sum, { kind, runs }) => sum + (kinds.includes(kind) ? runs : 0), 0);
}
