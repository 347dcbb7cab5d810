import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/** State that all sweeps of an installation share, so that overlapping sweeps respect the same bounds. */
export const sweepWindowSchema = z.object({
  /** Minutes since 1970. */
  minute: z.int(),
  /** Messages that sweeps were allowed to send in this minute, by cause and lane: `admitted-live`. */
  counts: z.record(z.string(), z.int().nonnegative()),
  /** The sweep that runs now. The lease ends at the latest with the sweep's invocation. */
  lease: z.object({ sweepId: z.string(), untilMs: z.number() }).optional(),
});
export type SweepMinute = DeepReadonly<z.infer<typeof sweepWindowSchema>>;
