import * as z from 'zod';
import { workerEnvSchema } from '../../shared/enrichment/env.ts';

/** What the stack gives this function. */
export const envSchema = workerEnvSchema.extend({ BULK_QUEUE_URL: z.url() });
