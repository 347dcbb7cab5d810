import * as z from 'zod/mini';
import { metricsEnvSchema } from '#shared/metrics';
import { secretsEnvSchema } from '#shared/secrets';

/** Environment variables that the stack sets for this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...metricsEnvSchema.shape,
  URGENT_QUEUE_URL: z.url('expected a URL'),
  LIVE_QUEUE_URL: z.url('expected a URL'),
  BULK_QUEUE_URL: z.url('expected a URL'),
  /** The webhook's target URL, exactly as configured in HubSpot. */
  PUBLIC_URL: z.url('expected a URL'),
  HUBSPOT_APP_ID: z.optional(z.string().check(z.regex(/^\d+$/, 'expected a number'))),
  /**
   * The only HubSpot account whose events are accepted. If absent, all events are accepted, and the worker drops events
   * of other accounts.
   */
  HUBSPOT_PORTAL_ID: z.optional(z.string().check(z.regex(/^\d+$/, 'expected a number'))),
  /** Properties that the policy's rules read, separated by commas. */
  RULE_PROPERTIES: z.optional(
    z.string().check(z.regex(/^[a-z0-9_]+(,[a-z0-9_]+)*$/, 'expected property names')),
  ),
  /** Accepts version 1 signatures, which legacy private apps use. */
  WEBHOOK_ALLOW_V1: z.optional(z.enum(['true', 'false'], 'expected true or false')),
});
