import * as z from 'zod';
import { commonEnvSchema, tablesEnvSchema } from '#shared/lambda';

const { LEDGER_TABLE, STATE_TABLE } = tablesEnvSchema.shape;

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...commonEnvSchema.shape,
  LEDGER_TABLE,
  STATE_TABLE,
});
