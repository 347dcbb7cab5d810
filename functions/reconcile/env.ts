import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from '#shared/lambda';
import { secretsEnvSchema } from '#shared/secrets';

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...commonEnvSchema.shape,
  ...tablesEnvSchema.shape,
  ...hubSpotEnvSchema.shape,
  ...queuesEnvSchema.shape,
  /** The longest possible lifetime of a worker: its timeout. */
  WORKER_TIMEOUT_S: z.coerce.number().int().positive(),
});
