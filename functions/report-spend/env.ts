import * as z from 'zod';
import { commonEnvSchema, tablesEnvSchema } from '#shared/composition';

const { LEDGER_TABLE, QUESTIONS_TABLE, RATE_LIMITER_TABLE, RECORDS_TABLE } = tablesEnvSchema.shape;

/** What the stack gives this function. */
export const envSchema = z.object({
  ...commonEnvSchema.shape,
  LEDGER_TABLE,
  QUESTIONS_TABLE,
  RATE_LIMITER_TABLE,
  RECORDS_TABLE,
  /** The HubSpot account that the links lead into; the pinned one without it. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});
