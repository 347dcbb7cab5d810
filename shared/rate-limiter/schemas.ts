import * as z from 'zod';
import { LANES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

/** One request's share of the vendor's rate. Times are those of the worker that wrote them. */
const slotSchema = z.object({
  /** Empty where several were put together. */
  id: z.string(),
  /** The worker that wrote `sentAtMs` and `freeAtMs`: its clock may differ from ours. */
  by: z.string(),
  sentAtMs: z.number(),
  /** Set when the answer came; until then the request is in flight. */
  answered: z.literal(true).optional(),
  /** From then on no minute of the vendor's that holds a new request can hold this one. */
  freeAtMs: z.number(),
  /** So many were put together: the first was sent at `sentAtMs`, the last is free at `freeAtMs`. */
  count: z.int().positive().optional(),
});
export type Slot = DeepReadonly<z.infer<typeof slotSchema>>;

/** A window of the vendor's own counting. */
const vendorWindowSchema = z.object({
  /** The reported reset on the vendor's clock; 0 while no answer has named the window yet. */
  resetAtMs: z.number(),
  /** The smallest report of what remains in it. */
  remaining: z.number(),
  /** By worker, on that worker's clock: when the window has surely ended. */
  endsAtMs: z.record(z.string(), z.number()),
});
export type VendorWindow = DeepReadonly<z.infer<typeof vendorWindowSchema>>;

/** A waiting worker. */
const waiterSchema = z.object({
  id: z.string(),
  lane: z.enum(LANES),
  /** When its asker gives up: of one lane, the one that has to be through first goes first. */
  dueMs: z.number(),
  /** Not seen until then, it has gone. */
  untilMs: z.number(),
});
export type Waiter = DeepReadonly<z.infer<typeof waiterSchema>>;

/** The rate limiter's item as this version writes it. */
export const rateLimiterStateSchema = z.object({
  /** Requests per minute, learned from the headers. */
  limit: z.int().positive(),
  /** Some answer has come, and told the limit if the vendor tells it at all. */
  isTold: z.literal(true).optional(),
  /**
   * `proof`: only what can be proved whatever the vendor's way of counting. `fixed`: a fixed window has been
   * observed, so a new window's whole allowance may be used from its reset on.
   */
  mode: z.enum(['proof', 'fixed']),
  slots: z.array(slotSchema),
  window: vendorWindowSchema.optional(),
  /** The window before: its reset on the vendor's clock, and when a worker saw that it had ended. */
  ended: z.object({ resetAtMs: z.number(), atMs: z.number() }).optional(),
  /** After a 429 no worker sends before this, and fixed windows are not believed in before `believeAtMs`. */
  closed: z.object({ untilMs: z.number(), believeAtMs: z.number() }).optional(),
  /** Whether another program uses the key, as far as is known: until then every report narrows. */
  sharedUntilMs: z.number().optional(),
  /** When the next bulk request is due, were all evenly spread. */
  bulkDueMs: z.number().optional(),
  waiters: z.array(waiterSchema),
  /** What was stored could not be read: the use of the rate is not known. Never stored itself. */
  unreadable: z.literal(true).optional(),
});
export type RateLimiterState = DeepReadonly<z.infer<typeof rateLimiterStateSchema>>;

/** The lenient form for reading: a damaged item must not stop all questions. */
export const storedRateLimiterSchema = rateLimiterStateSchema.catch({
  limit: 20,
  mode: 'proof',
  slots: [],
  waiters: [],
  unreadable: true,
});
