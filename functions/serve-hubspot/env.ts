import * as z from 'zod';
import { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from '#shared/lambda';
import { secretsEnvSchema } from '#shared/secrets';

const { STATE_TABLE } = tablesEnvSchema.shape;
const { URGENT_QUEUE_URL, BULK_QUEUE_URL } = queuesEnvSchema.shape;

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...commonEnvSchema.shape,
  STATE_TABLE,
  URGENT_QUEUE_URL,
  BULK_QUEUE_URL,
  HUBSPOT_BASE_URL: hubSpotEnvSchema.shape.HUBSPOT_BASE_URL,
  /** The webhook's target URL. The routes of this function are under this URL. */
  PUBLIC_URL: z.url(),
  /** Overrides the account that the first start read from HubSpot. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});
