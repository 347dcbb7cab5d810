import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from '#shared/lambda';
import { secretsEnvSchema } from '#shared/secrets';

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...commonEnvSchema.shape,
  ...tablesEnvSchema.pick({ STATE_TABLE: true }).shape,
  ...queuesEnvSchema.omit({ LIVE_QUEUE_URL: true }).shape,
  ...hubSpotEnvSchema.pick({ HUBSPOT_BASE_URL: true, HUBSPOT_PORTAL_ID: true }).shape,
  /** The webhook's target URL. The routes of this function are under this URL. */
  PUBLIC_URL: z.url(),
});
