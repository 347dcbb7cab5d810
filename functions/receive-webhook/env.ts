import * as z from 'zod';

/** What the stack gives this function. */
export const envSchema = z.object({
  LIVE_QUEUE_URL: z.url(),
  SECRET_ID: z.string().min(1),
  /** The webhook's target URL exactly as HubSpot has it. */
  PUBLIC_URL: z.url(),
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
});
