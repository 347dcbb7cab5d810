import * as z from 'zod';
import { FINDING_KINDS } from '#shared/review';

/** The finding that the page showed. A newer finding of the same kind stays undecided. */
const finding = { finding: z.enum(FINDING_KINDS), foundAtMs: z.int().nonnegative() };

/** Shows the values that accepting the finding would write. */
export const previewWish = z.object({ kind: z.literal('preview'), ...finding });

/** With `properties`, only these are written, and the others are declined. Without it, all are written. */
export const acceptWish = z.object({
  kind: z.literal('accept'),
  ...finding,
  properties: z.array(z.string().min(1).max(100)).min(1).max(200).optional(),
  /** The person agreed a second time, after seeing the identity of the answer. */
  confirmsIdentity: z.literal(true).optional(),
});

/** `isOtherPerson`: the answer is about another person or company. A contradiction always is. */
export const rejectWish = z.object({
  kind: z.literal('reject'),
  ...finding,
  isOtherPerson: z.literal(true).optional(),
});

export type PreviewWish = z.infer<typeof previewWish>;
export type AcceptWish = z.infer<typeof acceptWish>;
export type RejectWish = z.infer<typeof rejectWish>;
export type FindingRequest = PreviewWish | AcceptWish | RejectWish;
