import type { BudgetPace } from '#shared/credit-ledger';
import type { ObjectType } from '#shared/crm';
import { percent } from '#shared/kernel';
import type { BreakerState } from '#shared/questions';

export const BACKFILL_STATES = [
  'quoting',
  'quoted',
  'trial',
  'approval',
  'running',
  'paused',
  'done',
  'stopped',
] as const;

type BackfillState = (typeof BACKFILL_STATES)[number];

/** What a person can decide about a backfill. */
export const BACKFILL_MOVES = ['start', 'approve', 'pause', 'resume', 'stop'] as const;

/** The backfill pauses if its match rate is lower than agreed, or its damage is higher. Absent: no limit. */
export interface BackfillLimits {
  readonly matchRate?: number | undefined;
  readonly damage?: number | undefined;
}

/** State of a backfill, for people and scripts. Costs are in credits, rates are shares from 0 to 1. */
export interface BackfillSummary {
  readonly id: string;
  readonly objectType: ObjectType;
  /** The scope, in words. */
  readonly scope: string;
  readonly state: BackfillState;
  readonly createdAtMs: number;
  /** Number of records checked for the quote (`seen`), and number of records to look up. */
  readonly seen: number;
  readonly records: number;
  readonly ended: number;
  readonly hits: number;
  readonly misses: number;
  /** Ended records that were not looked up, or whose lookup failed; `withoutResult` counts them by reason. */
  readonly others: number;
  /** The part of `others` that was not looked up for sure. */
  readonly notLookedUp: number;
  readonly withoutResult?: Readonly<Record<string, number>>;
  /** Records in which at least one value was written. */
  readonly filled: number;
  /** Share of records with a match. Each stratum counts by its number of records. */
  readonly matchRate?: number;
  readonly spent: number;
  readonly quote?: {
    readonly atMost: number;
    readonly expected?: number | undefined;
    readonly matchRate?: number | undefined;
  };
  readonly trial?: {
    readonly damage: number;
    readonly matchRate?: number | undefined;
    readonly expected?: number | undefined;
  };
  /** The last expected cost: that after the trial, or that of the quote. */
  readonly expected?: number;
  /** The agreed limits. While the backfill waits for approval, the limits that an approval agrees to. */
  readonly limits?: BackfillLimits;
  readonly pause?: { readonly reason: string; readonly examples: readonly string[] };
  /** Why it stands still now. */
  readonly holding?: { readonly reason: string; readonly sinceMs: number };
}

/** A backfill that has not ended, with what a person needs to decide its next step. */
export type OpenBackfill = BackfillSummary & {
  /** Highest price of the next step, in credits. */
  readonly maxCredits: number;
  /** Days until the budgets have covered its expected cost; `undefined` if they leave nothing for it. */
  readonly days: number | undefined;
  readonly startedBy: string | undefined;
  readonly startedAtMs: number | undefined;
  /** Ids of records of the trial that were damaged or had no match. */
  readonly examples: readonly string[];
};

/** Reads backfills for the pages. */
export interface BackfillReader {
  /** Returns started backfills, newest first. @param stopped the present stop of spending by a person, if there is one. */
  readonly started: (stopped: BreakerState['stopped']) => Promise<readonly BackfillSummary[]>;
  /** Returns backfills that have not ended, newest first. @param pace of the budgets for backfills. */
  readonly open: (pace: () => Promise<BudgetPace>) => Promise<readonly OpenBackfill[]>;
}

/** `It pauses if fewer than 47% are found, or more than 6% are damaged.` */
export function limitWords({ matchRate = 0, damage = 1 }: BackfillLimits): string {
  const limits = [
    ...(matchRate > 0 ? [`fewer than ${percent(matchRate)} are found`] : []),
    ...(damage < 1 ? [`more than ${percent(damage)} are damaged`] : []),
  ];
  return limits.length > 0 ? `It pauses if ${limits.join(', or ')}.` : 'It has no limit at which it pauses.';
}
