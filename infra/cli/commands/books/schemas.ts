import * as z from 'zod';

/** The fields of a statement's JSON that name its entries. All other fields are computed again and compared. */
export const statementHeadSchema = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  soFar: z.string().optional(),
  before: z.object({ seq: z.int() }).optional(),
  last: z.object({ seq: z.int() }).optional(),
});
