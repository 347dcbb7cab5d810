import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, tablesEnvSchema } from '#shared/lambda';

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...commonEnvSchema.shape,
  ...tablesEnvSchema.omit({ PROOF_TABLE: true }).shape,
  ...hubSpotEnvSchema.pick({ HUBSPOT_APP_ID: true, HUBSPOT_PORTAL_ID: true }).shape,
});
