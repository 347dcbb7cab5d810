import * as z from 'zod';
import { PURPOSES } from '#shared/crm';
import type { DeepReadonly } from '#shared/kernel';

const count = z.int().nonnegative();

/** What a run brought: an answer that filled something, one that said nothing new, none, one that a person has to decide, ... */
const BROUGHT_KINDS = ['filled', 'confirmed', 'unmatched', 'review', 'gone', 'skipped', 'failed'] as const;
export type BroughtKind = (typeof BROUGHT_KINDS)[number];

/** Runs of one purpose, rule and asker that brought the same, and how many fields they filled. */
const broughtSchema = z.object({
  purpose: z.enum(PURPOSES),
  kind: z.enum(BROUGHT_KINDS),
  /** The policy's rule that decided about the records, such as `contacts: customers`; absent where the policy had none. */
  rule: z.string().optional(),
  /** Who or what asked: `user:12345`, `source:IMPORT`; `user` for those that are not named. */
  askedBy: z.string().optional(),
  runs: count,
  fields: count,
});
export type Brought = DeepReadonly<z.infer<typeof broughtSchema>>;

/** What the runs brought that ended on one day; no two rows alike. */
export const broughtDaySchema = z.object({ rows: z.array(broughtSchema) });
export type BroughtDay = DeepReadonly<z.infer<typeof broughtDaySchema>>;
