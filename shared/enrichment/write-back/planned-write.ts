import type { CrmWriteResult, HubSpotFailure } from '#shared/crm';
import type { Marks } from '#shared/ownership';
import type { JournalEntry } from '#shared/records';
import type { RecordClaim } from '../services.ts';
import type { Recovered } from './recover.ts';

/** Planned writes of one record. */
export interface PlannedWrite {
  /** Input of the plan. Each attempt plans again from this input. */
  readonly draft: { readonly held: RecordClaim };
  readonly writes: Readonly<Record<string, string>>;
  /** Properties that are written, without statuses. */
  readonly filled: readonly string[];
  /** Writes that restore people's values which our writes had replaced. */
  readonly back: Readonly<Record<string, string>>;
  /** Values that count as a person's from now on. They are stored in the record's state before the write. */
  readonly broughtBack: Marks;
}

/** Plans the writes, from an answer or from the journal. */
export interface Writer<P extends PlannedWrite> {
  /**
   * Reads the present records, and plans the differences.
   * @returns the plans, and the monotonic time just before the read.
   */
  readonly plan: (
    drafts: readonly P['draft'][],
    recovered: Recovered,
  ) => Promise<{ readonly plans: readonly P[]; readonly readAtMs: number }>;
  readonly entryOf: (plan: P) => JournalEntry;
  /** Records the disclosure of a person's data before the write. */
  readonly disclose?: (plan: P) => Promise<void>;
  /** Returns the draft without the properties that HubSpot refused; `undefined` if none can be left out. */
  readonly withoutRefused: (
    plan: P,
    result: Extract<CrmWriteResult, { kind: 'refused' }>,
  ) => P['draft'] | undefined;
}

/** Result of one draft. */
export type WriteResult<P extends PlannedWrite> =
  | {
      readonly kind: 'done';
      readonly plan: P;
      readonly result: CrmWriteResult | undefined;
      /** Until this time an earlier attempt may still arrive, so it must be checked again. Epoch milliseconds. */
      readonly openUntilMs?: number | undefined;
    }
  /** HubSpot as a whole failed too often, or the time ran out. */
  | {
      readonly kind: 'stopped';
      readonly draft: P['draft'];
      readonly error: HubSpotFailure;
      readonly openUntilMs?: number | undefined;
    }
  /** The journal failed. Nothing is sent, because a write without an entry could never be undone. */
  | { readonly kind: 'unjournalled'; readonly draft: P['draft']; readonly error: unknown };
