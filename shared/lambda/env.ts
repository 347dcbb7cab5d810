import * as z from 'zod';
import { metricsEnvSchema } from '#shared/metrics';
import type { secretsEnvSchema } from '#shared/secrets';

/** Environment that the stack gives to every function that uses tables. */
export const commonEnvSchema = z.object({
  ...metricsEnvSchema.shape,
  /**
   * Path of the policy's JSON file: relative to the function's code, or absolute. The file has the budgets and the
   * settings that differ from the default policy.
   */
  POLICY_FILE: z.string().min(1),
});

/** Names of the tables. Each function picks the tables that it uses. */
export const tablesEnvSchema = z.object({
  LEDGER_TABLE: z.string().min(1),
  PROOF_TABLE: z.string().min(1),
  STATE_TABLE: z.string().min(1),
});

/** URLs of the three queues, for functions that send messages. */
export const queuesEnvSchema = z.object({
  URGENT_QUEUE_URL: z.url(),
  LIVE_QUEUE_URL: z.url(),
  BULK_QUEUE_URL: z.url(),
});

/** Settings for functions that work with HubSpot's records. */
export const hubSpotEnvSchema = z.object({
  /** Another address of HubSpot's API, for tests. */
  HUBSPOT_BASE_URL: z.url().optional(),
  /** Records that were created before this time are not enriched by themselves. ISO 8601. */
  INSTALLED_AT: z.iso.datetime(),
  /** Our app's id. HubSpot's history names the app that wrote a value, so this id identifies our own writes. */
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
  /** Overrides the account that the first start read from HubSpot. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
});

export type CommonEnv = z.infer<typeof commonEnvSchema>;
export type TablesEnv = z.infer<typeof tablesEnvSchema>;
export type SecretsEnv = z.infer<typeof secretsEnvSchema>;
