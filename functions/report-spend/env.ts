import * as z from 'zod';
import { commonEnvSchema, tablesEnvSchema } from '#shared/lambda';

const { LEDGER_TABLE, STATE_TABLE } = tablesEnvSchema.shape;

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...commonEnvSchema.shape,
  LEDGER_TABLE,
  STATE_TABLE,
  /** Our app's id in links. */
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
  /** The HubSpot account in links. If absent, the account that the worker stored. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});
