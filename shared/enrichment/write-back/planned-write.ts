import type { CrmWriteResult, HubSpotFailure } from '#shared/crm';
import type { LastWritten } from '#shared/field-policy';
import type { JournalEntry } from '#shared/records';
import type { RecordClaim } from '../services.ts';
import type { Recovered } from './recover.ts';

/** What is to be written to one record, as it is now. */
export interface PlannedWrite {
  /** What the plan is made from, again before each attempt. */
  readonly draft: { readonly held: RecordClaim };
  readonly writes: Readonly<Record<string, string>>;
  /** Properties of them that are no statuses. */
  readonly filled: readonly string[];
  /** Of the writes those that give back what ours had taken from a person. */
  readonly back: Readonly<Record<string, string>>;
  /** Marks of values that count as a person's from now on. The record's state has them before the write. */
  readonly pinned: LastWritten;
}

/** How one user of the write step decides: from an answer, or from the journal. */
export interface Writer<P extends PlannedWrite> {
  /**
   * Reads the records as they are now, and plans what differs.
   * @returns with the monotonic time just before the reading.
   */
  readonly plan: (
    drafts: readonly P['draft'][],
    recovered: Recovered,
  ) => Promise<{ readonly plans: readonly P[]; readonly readAtMs: number }>;
  readonly entryOf: (plan: P) => JournalEntry;
  /** Notes, before the write, where the data of a person go. */
  readonly disclose?: (plan: P) => Promise<void>;
  /** The draft without the properties that HubSpot refused; `undefined` if none can be left out. */
  readonly withoutRefused: (
    plan: P,
    result: Extract<CrmWriteResult, { kind: 'refused' }>,
  ) => P['draft'] | undefined;
}

/** What became of one draft. */
export type WriteResult<P extends PlannedWrite> =
  | {
      readonly kind: 'done';
      readonly plan: P;
      readonly result: CrmWriteResult | undefined;
      /** Until then an earlier attempt may still arrive, and has to be looked for once more. Epoch milliseconds. */
      readonly openUntilMs?: number | undefined;
    }
  /** HubSpot as a whole failed, and patience or time ended. */
  | {
      readonly kind: 'stopped';
      readonly draft: P['draft'];
      readonly error: HubSpotFailure;
      readonly openUntilMs?: number | undefined;
    }
  /** The journal's own failure: what is written without it could never be undone. */
  | { readonly kind: 'unjournalled'; readonly draft: P['draft']; readonly error: unknown };
