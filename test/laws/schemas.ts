import * as z from 'zod';

/** An item as older code knows it, and with the fields that newer code has added. */
export const olderItemSchema = z.object({ count: z.int(), note: z.string().optional() });
export const newerItemSchema = olderItemSchema.extend({
  later: z.int().optional(),
  list: z.array(z.int()).optional(),
});
export type NewerItem = z.infer<typeof newerItemSchema>;
