import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, tablesEnvSchema } from '#shared/lambda';
import { secretsEnvSchema } from '#shared/secrets';

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...commonEnvSchema.shape,
  ...tablesEnvSchema.shape,
  ...hubSpotEnvSchema.shape,
  DATA_SERVICE_BASE_URL: z.url(),
});
