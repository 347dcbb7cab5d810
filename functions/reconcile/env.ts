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
  /** Overrides the account that the first start read from HubSpot. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
  /** Our app's id, which distinguishes our own writes from writes of other apps. */
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
  /** The longest possible lifetime of a worker: its timeout. */
  WORKER_TIMEOUT_S: z.coerce.number().int().positive(),
});
