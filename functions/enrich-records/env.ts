import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, tablesEnvSchema } from '#shared/composition';
import { secretsEnvSchema } from '#shared/secrets';

/** What the stack gives this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...commonEnvSchema.shape,
  ...tablesEnvSchema.shape,
  ...hubSpotEnvSchema.shape,
  DATA_SERVICE_BASE_URL: z.url(),
  /** Its writes are ours: HubSpot's history names the app that wrote a value. */
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
  /** Overrides the account that was learned at the first start. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});
