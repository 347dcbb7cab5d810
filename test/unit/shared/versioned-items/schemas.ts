import * as z from 'zod';

/** A sample kind, and the same one after its field was renamed. */
export const firstSchema = z.object({ credits: z.int() });
export const raisedSchema = z.object({ amountCredits: z.int() });
