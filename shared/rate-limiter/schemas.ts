import * as z from 'zod';
import { LANES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';
import { VENDORS } from '#shared/vendor';

/** One request's share of the vendor's rate. Times are measured by the clock of the worker that wrote them. */
const slotSchema = z.object({
  /** Empty if several slots are merged. */
  id: z.string(),
  /** The worker that wrote `sentAtMs` and `freeAtMs`; its clock may differ from ours. */
  by: z.string(),
  sentAtMs: z.number(),
  /** Set if the request was answered. If absent, the request is in flight. */
  answered: z.literal(true).optional(),
  /** After this time, no minute of the vendor contains both a new request and this request. */
  freeAtMs: z.number(),
  /** Number of merged slots. The first was sent at `sentAtMs`, the last is free at `freeAtMs`. */
  count: z.int().positive().optional(),
});
export type Slot = DeepReadonly<z.infer<typeof slotSchema>>;

/** A window in which the vendor counts requests. */
const vendorWindowSchema = z.object({
  /** The reported reset by the vendor's clock; 0 until an answer names the window. */
  resetAtMs: z.number(),
  /** The smallest reported number of remaining requests. */
  remaining: z.number(),
  /** When the window has certainly ended, by worker and by that worker's clock. */
  endsAtMs: z.record(z.string(), z.number()),
});
export type VendorWindow = DeepReadonly<z.infer<typeof vendorWindowSchema>>;

/** A waiting worker. */
const waiterSchema = z.object({
  id: z.string(),
  lane: z.enum(LANES),
  /** When the caller gives up. Within one lane, the waiter with the earliest time goes first. */
  dueMs: z.number(),
  /** After this time the waiter counts as gone, unless it is listed again. */
  untilMs: z.number(),
});
export type Waiter = DeepReadonly<z.infer<typeof waiterSchema>>;

/** The rate limiter's item as this version writes it. */
export const rateLimiterStateSchema = z.object({
  /** Requests per minute, from the vendor's headers. */
  limit: z.int().positive(),
  /** Set after the first answer. If the vendor reports a limit, `limit` then has its value. */
  isTold: z.literal(true).optional(),
  /**
   * `proof`: a request is sent only if it is within the limit for every way of counting. `fixed`: a fixed window was
   * observed, so the whole allowance of a new window is used from the window's reset on.
   */
  mode: z.enum(['proof', 'fixed']),
  slots: z.array(slotSchema),
  window: vendorWindowSchema.optional(),
  /** The previous window: its reset by the vendor's clock, and when a worker noticed its end. */
  ended: z.object({ resetAtMs: z.number(), atMs: z.number() }).optional(),
  /** After a 429 no worker sends before `untilMs`, and no fixed window is assumed before `believeAtMs`. */
  closed: z.object({ untilMs: z.number(), believeAtMs: z.number() }).optional(),
  /** Until this time, another program is assumed to use the key, so every report may lower the rate. */
  sharedUntilMs: z.number().optional(),
  /** When the next bulk request is due in an even spread. */
  bulkDueMs: z.number().optional(),
  waiters: z.array(waiterSchema),
  /** The stored item was unreadable, so the use of the rate is unknown. Never stored. */
  unreadable: z.literal(true).optional(),
});
export type RateLimiterState = DeepReadonly<z.infer<typeof rateLimiterStateSchema>>;

/** The lenient schema for reads, because a damaged item must not stop all questions. An answer tells the limit again. */
export const storedRateLimiterSchema = rateLimiterStateSchema.catch({
  limit: Math.min(...VENDORS.map(({ ratePerMinute }) => ratePerMinute)),
  mode: 'proof',
  slots: [],
  waiters: [],
  unreadable: true,
});
