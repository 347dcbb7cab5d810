import { workerEnvSchema } from '../../shared/enrichment/env.ts';

/** What the stack gives this function. */
export const envSchema = workerEnvSchema;
