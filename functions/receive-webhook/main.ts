import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { systemClock as clock } from '../../shared/kernel/clock.system.ts';
import { createJsonLogger } from '../../shared/kernel/logger.system.ts';
import { createSecretsReader } from '../../shared/secrets/reader.secrets.ts';
import { createSqsQueue } from '../../shared/work-queue/queue.sqs.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = envSchema.parse(process.env);
const secrets = createSecretsReader({ client: new SecretsManagerClient(), secretId: env.SECRET_ID, clock });

export const handler = createHandler({
  queue: createSqsQueue({ client: new SQSClient(), queueUrl: env.LIVE_QUEUE_URL }),
  clientSecret: async () => (await secrets()).hubSpotClientSecret,
  publicUrl: env.PUBLIC_URL,
  ownAppId: env.HUBSPOT_APP_ID,
  clock,
  logger: createJsonLogger(clock),
});
