import * as z from 'zod';
import { workerEnvSchema } from '../../shared/enrichment/env.ts';

/** What the stack gives this function. */
export const envSchema = workerEnvSchema.extend({
  LIVE_QUEUE_URL: z.url(),
  BULK_QUEUE_URL: z.url(),
  /** The longest that an asker may live: the worker's timeout. */
  WORKER_TIMEOUT_S: z.coerce.number().int().positive(),
});
