import * as z from 'zod';

const run = z.object({
  recordId: z.string().regex(/^\d{1,20}$/),
  number: z.int().nonnegative().max(1_000_000),
});

/** Undoes all our writes to a record, or a part of them. */
export const undoWish = z.object({
  kind: z.literal('undo'),
  /** Undoes only this property. */
  property: z.string().min(1).max(100).optional(),
  /** Undoes only this run, of the record or of a record that was merged into it. */
  run: run.optional(),
});

export type UndoWish = z.infer<typeof undoWish>;

/** A person says that the answer of this run is about another person or company. */
export const wrongMatchWish = z.object({ kind: z.literal('wrong-match'), run });

export type WrongMatchWish = z.infer<typeof wrongMatchWish>;
