import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

export const ENTRY_KINDS = [
  'pending',
  'posted',
  'voided',
  'doubtful',
  'late',
  'adjustment',
  'grant',
  'set-back',
] as const;

const purpose = z.enum(PURPOSES);

/** Credits, in whole numbers. */
const amountsSchema = z.object({ posted: z.int(), pending: z.int(), doubtful: z.int() });
export type Amounts = DeepReadonly<z.infer<typeof amountsSchema>>;

/** Of the purposes that have any. */
const periodTotalsSchema = z.partialRecord(purpose, amountsSchema);
export type PeriodTotals = DeepReadonly<z.infer<typeof periodTotalsSchema>>;

const totalsSchema = z.object({
  /** By day (`2026-11-21`) and by month (`2026-11`): the current ones and those with an open reservation. */
  periods: z.record(z.string(), periodTotalsSchema),
  /**
   * Credits that fresh leads and people's requests used on the days before `day`, the latest first: what the next days
   * will need for them is kept from imports. Absent before the first entry.
   */
  leads: z.object({ day: z.string(), before: z.array(z.int()) }).optional(),
  /**
   * Entries from before number `seq` may say times up to `untilMs` that had not come, since the log's time was set back
   * there; `lastSeq` is where it was set back last. Absent where that never was needed.
   */
  setBack: z.object({ seq: z.int().positive(), lastSeq: z.int().positive(), untilMs: z.number() }).optional(),
  /** Doubts that have left the list of open reservations for their age. Absent where there are none. */
  oldDoubts: z.object({ count: z.int(), credits: z.int() }).optional(),
  /** Bought credits with a last day, and how much had been posted when they were booked. Until that day. */
  expiring: z.array(z.object({ day: z.string(), credits: z.int(), postedBefore: z.int() })).optional(),
  /** Since the first entry. `adjusted` may be negative. */
  lifetime: amountsSchema.extend({ granted: z.int(), adjusted: z.int() }),
});
export type Totals = DeepReadonly<z.infer<typeof totalsSchema>>;

/**
 * For whom it was asked: the record as HubSpot numbers it (`contacts#123`), or, of a batch, how many companies were to
 * be looked up together. Absent where a person asked without a record. The number of a record that was deleted since
 * tells nothing about anybody, so it stays when its person is forgotten.
 */
const askedFor = {
  record: z.string().optional(),
  companies: z.int().positive().optional(),
  /** The policy's rule, such as `contacts: customers`, that admitted the record. */
  rule: z.string().optional(),
};

/** Credits set aside for one attempt at a question, until the vendor's charge is known. */
const openReservationSchema = z.object({
  /** `<question key>:<fencing token>`: the same attempt always has the same id. */
  id: z.string(),
  seq: z.int(),
  questionKey: z.string(),
  operation: z.string(),
  purpose,
  ...askedFor,
  state: z.enum(['pending', 'doubtful']),
  /** Worst case of the attempt. */
  amountCredits: z.int(),
  /** The day in which it was made, and to which its charge is booked whenever that is known. */
  day: z.string(),
  atMs: z.number(),
});
export type OpenReservation = DeepReadonly<z.infer<typeof openReservationSchema>>;

/**
 * One line of the append-only log. Never edited; carries the balance after it. No personal data. A stored entry that
 * does not fit stops the program: the books must not be guessed.
 */
export const ledgerEntrySchema = z.object({
  /** One log per account: the data service's key it is kept for. */
  account: z.string(),
  /** 1, 2, 3, ... without gaps. */
  seq: z.int().positive(),
  id: z.string(),
  kind: z.enum(ENTRY_KINDS),
  /** Epoch milliseconds, never before the entry before it, but where the log's time is set back. */
  atMs: z.number(),
  /** IANA name of the zone that was in force when the entry was made. */
  timeZone: z.string(),
  /** The day to which the amount belongs, in that time zone. */
  day: z.string(),
  amountCredits: z.int(),
  reservationId: z.string().optional(),
  questionKey: z.string().optional(),
  operation: z.string().optional(),
  purpose: purpose.optional(),
  ...askedFor,
  /** Who or what asked: `user:12345`, `source:IMPORT`. Not in `open`, whose fields older versions would drop. */
  askedBy: z.string().optional(),
  /** For a doubt that had left the list before it ended: the credits reserved for it. */
  oldDoubtCredits: z.int().nonnegative().optional(),
  /** Of a grant: the last day on which its credits can be spent. */
  expiresOn: z.string().optional(),
  /** Why: `match`, `no-match`, `rate-limited`, a person's note. */
  reason: z.string().optional(),
  totals: totalsSchema,
  open: z.array(openReservationSchema),
  previousHash: z.string(),
  /** Fields of a later version. They are stored beside the others, and the hash is over them, too. */
  unknown: z.record(z.string(), z.unknown()).optional(),
  /** SHA-256 over everything above, without the item's key and format. */
  hash: z.string(),
});
export type LedgerEntry = DeepReadonly<z.infer<typeof ledgerEntrySchema>>;

/** An entry that was valid in an audit, and its hash then. */
const auditedEntrySchema = z.object({ seq: z.int().positive(), hash: z.string() });
export type AuditedEntry = DeepReadonly<z.infer<typeof auditedEntrySchema>>;

/** The first invalid entry of the last audit, and since when audits find one. */
const ledgerFaultSchema = z.object({ seq: z.int().positive(), problem: z.string(), sinceMs: z.number() });
export type LedgerFault = DeepReadonly<z.infer<typeof ledgerFaultSchema>>;

/** How far the log was audited: the last valid entry and its hash. The slow pass over the whole log keeps the same. */
export const auditCursorSchema = auditedEntrySchema.partial().extend({
  again: auditedEntrySchema.optional(),
  fault: ledgerFaultSchema.optional(),
});
export type AuditCursor = DeepReadonly<z.infer<typeof auditCursorSchema>>;
