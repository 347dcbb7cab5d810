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
  /** Our app's id. HubSpot's history names the app that wrote a value, so this id identifies our own writes. */
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
  /** Overrides the account that the first start read from HubSpot. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});
