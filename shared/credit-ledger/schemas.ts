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

/** Amounts by purpose. Purposes without amounts are absent. */
const periodTotalsSchema = z.partialRecord(purpose, amountsSchema);
export type PeriodTotals = DeepReadonly<z.infer<typeof periodTotalsSchema>>;

const totalsSchema = z.object({
  /**
   * Totals by day (`2026-11-21`) and by month (`2026-11`). Only for current periods and for periods with an open
   * reservation.
   */
  periods: z.record(z.string(), periodTotalsSchema),
  /**
   * Credits that fresh leads and people's requests used on the days before `day`, latest first. The reserve for leads
   * is computed from these numbers. Absent before the first entry.
   */
  leads: z.object({ day: z.string(), before: z.array(z.int()) }).optional(),
  /** Credits that the requests of HubSpot users used on `day`, by asker. Absent if no user asked on that day. */
  people: z.object({ day: z.string(), credits: z.record(z.string(), z.int()) }).optional(),
  /**
   * Entry `seq` was the last to set the log's time back. Entries before it can state wrong future times, up to
   * `untilMs`. Absent if the time was never set back.
   */
  setBack: z.object({ seq: z.int().positive(), untilMs: z.number() }).optional(),
  /**
   * Bought credits that expire after `day`, and the credits that were posted before their grant. Dropped after `day`.
   */
  expiring: z.array(z.object({ day: z.string(), credits: z.int(), postedBefore: z.int() })).optional(),
  /** Sums since the first entry. `adjusted` can be negative. */
  lifetime: amountsSchema.extend({ granted: z.int(), adjusted: z.int() }),
});
export type Totals = DeepReadonly<z.infer<typeof totalsSchema>>;

/**
 * Reason of the request: the record's portal and HubSpot id (`portal-1/contacts/123`). Absent if a person sent the
 * request without a record. The id of a deleted record is not personal data, so it stays after a privacy deletion.
 */
const askedFor = {
  record: z.string().optional(),
  /** The policy rule that admitted the record, such as `contacts: customers`. */
  rule: z.string().optional(),
  /** The asker: `user:12345`, `source:IMPORT`. */
  askedBy: z.string().optional(),
};

/** Credits that are reserved for one attempt at a question, until the vendor's charge is known. */
const openReservationSchema = z.object({
  /** `<question key>:<fencing token>:<nonce>`, one for each attempt. */
  id: z.string(),
  seq: z.int(),
  questionKey: z.string(),
  operation: z.string(),
  purpose,
  ...askedFor,
  state: z.enum(['pending', 'doubtful']),
  /** Worst case of the attempt. */
  amountCredits: z.int(),
  /** The day of the reservation. Its charge is also booked to this day, even if the charge is known later. */
  day: z.string(),
  atMs: z.number(),
});
export type OpenReservation = DeepReadonly<z.infer<typeof openReservationSchema>>;

/**
 * One entry of the append-only log. An entry is never edited. It contains the balance after the entry. No personal
 * data. A stored entry that does not fit the schema stops the program, because the balance must not be guessed.
 */
export const ledgerEntrySchema = z.object({
  /** The account of the log; each account has one. */
  account: z.string(),
  /** 1, 2, 3, ... without gaps. */
  seq: z.int().positive(),
  id: z.string(),
  kind: z.enum(ENTRY_KINDS),
  /** Epoch milliseconds. Never earlier than the previous entry's time, except in a set-back. */
  atMs: z.number(),
  /** IANA name of the time zone in force. */
  timeZone: z.string(),
  /** The day to which the amount belongs, in `timeZone`. */
  day: z.string(),
  amountCredits: z.int(),
  reservationId: z.string().optional(),
  questionKey: z.string().optional(),
  operation: z.string().optional(),
  purpose: purpose.optional(),
  ...askedFor,
  /** In a grant: the last day on which its credits can be spent. */
  expiresOn: z.string().optional(),
  /** Reason: `match`, `no-match`, `rate-limited`, a person's note. */
  reason: z.string().optional(),
  totals: totalsSchema,
  open: z.array(openReservationSchema),
  previousHash: z.string(),
  /** Fields of a later version. They are stored together with the other fields, and the hash includes them. */
  unknown: z.record(z.string(), z.unknown()).optional(),
  /** SHA-256 over all fields above, without the item's key and format. */
  hash: z.string(),
});
export type LedgerEntry = DeepReadonly<z.infer<typeof ledgerEntrySchema>>;
