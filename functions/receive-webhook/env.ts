import * as z from 'zod/mini';
import { metricsEnvSchema } from '#shared/metrics';
import { secretsEnvSchema } from '#shared/secrets';

/** What the stack gives this function. */
export const envSchema = z.object({
  ...secretsEnvSchema.shape,
  ...metricsEnvSchema.shape,
  URGENT_QUEUE_URL: z.url('expected a URL'),
  LIVE_QUEUE_URL: z.url('expected a URL'),
  BULK_QUEUE_URL: z.url('expected a URL'),
  /** The webhook's target URL exactly as HubSpot has it. */
  PUBLIC_URL: z.url('expected a URL'),
  HUBSPOT_APP_ID: z.optional(z.string().check(z.regex(/^\d+$/, 'expected a number'))),
  /** The only HubSpot account whose events are taken. Unless given, those of any: the worker knows which ones are ours. */
  HUBSPOT_PORTAL_ID: z.optional(z.string().check(z.regex(/^\d+$/, 'expected a number'))),
  /** Properties that rules of the policy read, separated by commas. */
  RULE_PROPERTIES: z.optional(
    z.string().check(z.regex(/^[a-z0-9_]+(,[a-z0-9_]+)*$/, 'expected property names')),
  ),
  /** Legacy private apps sign by version 1. */
  WEBHOOK_ALLOW_V1: z.optional(z.enum(['true', 'false'], 'expected true or false')),
});
