import * as z from 'zod';
import { metricsEnvSchema } from '../metrics/env.ts';
import { secretsEnvSchema } from '../secrets/env.ts';

/** What every function but the receiver is given by the stack. */
export const workerEnvSchema = z.object({
  ...secretsEnvSchema.shape,
  ...metricsEnvSchema.shape,
  RECORDS_TABLE: z.string().min(1),
  QUESTIONS_TABLE: z.string().min(1),
  LEDGER_TABLE: z.string().min(1),
  GOVERNOR_TABLE: z.string().min(1),
  DATA_SERVICE_BASE_URL: z.url(),
  /** Another address for HubSpot's API, for tests. */
  HUBSPOT_BASE_URL: z.url().optional(),
  /** Its writes are ours: HubSpot's history names the app that wrote a value. */
  HUBSPOT_APP_ID: z.string().regex(/^\d+$/).optional(),
  /** Overrides the account that was learned at the first start. */
  HUBSPOT_PORTAL_ID: z.string().regex(/^\d+$/).optional(),
  /** The policy as JSON: what differs from the defaults, and the budgets. */
  POLICY: z.string().min(2),
  /** Records created before this are left alone. ISO 8601. */
  INSTALLED_AT: z.iso.datetime(),
});

export type WorkerEnv = z.infer<typeof workerEnvSchema>;
