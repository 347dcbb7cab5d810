/** What credits are spent for; budgets and reports are kept apart by it. */
export const PURPOSES = ['live', 'refresh', 'backfill', 'manual'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Credits, in whole numbers. */
export interface Amounts {
  readonly posted: number;
  readonly pending: number;
  readonly doubtful: number;
}

export type PeriodTotals = Readonly<Record<Purpose, Amounts>>;

export interface Totals {
  /** By day (`2026-11-21`) and by month (`2026-11`): the current ones and those with an open reservation. */
  readonly periods: Readonly<Record<string, PeriodTotals>>;
  /** Since the first entry. `adjusted` may be negative. */
  readonly lifetime: Amounts & { readonly granted: number; readonly adjusted: number };
}

/** Credits set aside for one asking of a question, until the vendor's charge is known. */
export interface OpenReservation {
  /** `<question key>:<fence>`: the same asking always has the same id. */
  readonly id: string;
  readonly seq: number;
  readonly questionKey: string;
  readonly operation: string;
  readonly purpose: Purpose;
  readonly state: 'pending' | 'doubtful';
  /** Worst case of the asking. */
  readonly amountCredits: number;
  /** The day in which it was made, and to which its charge is booked whenever that is known. */
  readonly day: string;
  readonly atMs: number;
}

export const ENTRY_KINDS = [
  'pending',
  'posted',
  'voided',
  'doubtful',
  'late',
  'adjustment',
  'grant',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** One line of the append-only log. Never edited; carries the balance after it. No personal data. */
export interface LedgerEntry {
  /** One log per account: the data service's key it is kept for. */
  readonly account: string;
  /** 1, 2, 3, ... without gaps. */
  readonly seq: number;
  readonly id: string;
  readonly kind: EntryKind;
  /** Epoch milliseconds, never before the entry before it. */
  readonly atMs: number;
  /** IANA name of the policy's zone when the entry was made; absent in entries from before it was written down. */
  readonly timeZone?: string | undefined;
  /** The day to which the amount belongs, in that time zone. */
  readonly day: string;
  readonly amountCredits: number;
  readonly reservationId?: string | undefined;
  readonly questionKey?: string | undefined;
  readonly operation?: string | undefined;
  readonly purpose?: Purpose | undefined;
  /** Why: `match`, `no-match`, `rate-limited`, a person's note. */
  readonly reason?: string | undefined;
  readonly totals: Totals;
  readonly open: readonly OpenReservation[];
  readonly previousHash: string;
  /** SHA-256 over everything above. */
  readonly hash: string;
}
