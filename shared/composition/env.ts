import * as z from 'zod';
import { metricsEnvSchema } from '#shared/metrics';
import type { secretsEnvSchema } from '#shared/secrets';

/** What every function over tables is given by the stack. */
export const commonEnvSchema = z.object({
  ...metricsEnvSchema.shape,
  /** JSON beside the function's code, or an absolute path: what differs from the default policy, and the budgets. */
  POLICY_FILE: z.string().min(1),
});

/** The four tables, each for those who use it. */
export const tablesEnvSchema = z.object({
  RECORDS_TABLE: z.string().min(1),
  QUESTIONS_TABLE: z.string().min(1),
  LEDGER_TABLE: z.string().min(1),
  RATE_LIMITER_TABLE: z.string().min(1),
});

/** The three queues, for those who send. */
export const queuesEnvSchema = z.object({
  URGENT_QUEUE_URL: z.url(),
  LIVE_QUEUE_URL: z.url(),
  BULK_QUEUE_URL: z.url(),
});

/** For those who work with HubSpot's records. */
export const hubSpotEnvSchema = z.object({
  /** Another address for HubSpot's API, for tests. */
  HUBSPOT_BASE_URL: z.url().optional(),
  /** Records created before this are left alone. ISO 8601. */
  INSTALLED_AT: z.iso.datetime(),
});

export type CommonEnv = z.infer<typeof commonEnvSchema>;
export type TablesEnv = z.infer<typeof tablesEnvSchema>;
export type SecretsEnv = z.infer<typeof secretsEnvSchema>;
