import * as z from 'zod';
import { commonEnvSchema, tablesEnvSchema } from '#shared/lambda';

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...commonEnvSchema.shape,
  ...tablesEnvSchema.omit({ PROOF_TABLE: true }).shape,
});
