import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/** Alerts that were sent, so that none is repeated while it holds, or before its time. */
export const toldSchema = z.object({
  facts: z.array(
    z.object({ key: z.string(), untilMs: z.number().optional(), stopped: z.string().optional() }),
  ),
});
export type ToldFacts = DeepReadonly<z.infer<typeof toldSchema>>;
