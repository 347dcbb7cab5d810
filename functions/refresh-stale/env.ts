import * as z from 'zod';
import { commonEnvSchema, tablesEnvSchema } from '#shared/lambda';

const { RECORDS_TABLE, LEDGER_TABLE } = tablesEnvSchema.shape;

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...commonEnvSchema.shape,
  RECORDS_TABLE,
  LEDGER_TABLE,
});
