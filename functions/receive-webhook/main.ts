import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_TIMEOUTS } from '#shared/http';
import { readEnvironment } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { measure } from '#shared/metrics';
import { openTelemetry } from '#shared/metrics/adapters';
import { openSecrets } from '#shared/secrets/adapters';
import { createSqsQueues } from '#shared/work-queue/adapters';
import { envSchema } from './env.ts';
import { createHandler, deliveryLatencyMs, type HttpEvent } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const { logger, metrics, around } = openTelemetry(env.POWERTOOLS_SERVICE_NAME);
const secrets = openSecrets(env, { keys: ['hubSpotClientSecret'], clock, logger });

const receive = createHandler({
  queues: createSqsQueues(new SQSClient(AWS_TIMEOUTS), {
    urgent: env.URGENT_QUEUE_URL,
    live: env.LIVE_QUEUE_URL,
    bulk: env.BULK_QUEUE_URL,
  }),
  clientSecret: async () => (await secrets.read()).hubSpotClientSecret,
  publicUrl: env.PUBLIC_URL,
  ownAppId: env.HUBSPOT_APP_ID,
  portalId: env.HUBSPOT_PORTAL_ID,
  ruleProperties: env.RULE_PROPERTIES?.split(','),
  allowV1: env.WEBHOOK_ALLOW_V1 === 'true',
  clock,
  logger,
});

export const handler = around(async (event: HttpEvent) => {
  const result = await receive(event);
  const latencyMs = deliveryLatencyMs(event, result, clock.now());
  if (latencyMs !== undefined) metrics.emit([measure('webhookLatency', latencyMs)]);
  return result;
});
