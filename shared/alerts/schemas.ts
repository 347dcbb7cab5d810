import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';

/** What somebody was told of, so that it is not told again: as long as it holds, or until its time. */
export const toldSchema = z.object({
  facts: z.array(
    z.object({ key: z.string(), untilMs: z.number().optional(), stopped: z.string().optional() }),
  ),
});
export type ToldFacts = DeepReadonly<z.infer<typeof toldSchema>>;
