import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from '#shared/composition';
import { secretsEnvSchema } from '#shared/secrets';

const { RECORDS_TABLE, RATE_LIMITER_TABLE } = tablesEnvSchema.shape;
const { URGENT_QUEUE_URL, BULK_QUEUE_URL } = queuesEnvSchema.shape;

/** What the stack gives this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...commonEnvSchema.shape,
  RECORDS_TABLE,
  RATE_LIMITER_TABLE,
  URGENT_QUEUE_URL,
  BULK_QUEUE_URL,
  HUBSPOT_BASE_URL: hubSpotEnvSchema.shape.HUBSPOT_BASE_URL,
  /** The webhook's target URL: the routes lie under it. */
  PUBLIC_URL: z.url(),
  /** Overrides the account that was learned at the first start. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});
