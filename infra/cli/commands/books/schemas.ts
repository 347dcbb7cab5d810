import * as z from 'zod';

/** Of a statement's JSON what says which entries it is about; the rest is made anew and compared. */
export const statementHeadSchema = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  soFar: z.string().optional(),
  before: z.object({ seq: z.int() }).optional(),
  last: z.object({ seq: z.int() }).optional(),
});
