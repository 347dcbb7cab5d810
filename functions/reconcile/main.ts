import { SQSClient } from '@aws-sdk/client-sqs';
import { openTell } from '#shared/alerts/adapters';
import {
  backfillReaders,
  breakersInForce,
  checkBooks,
  crm,
  days,
  forgetting,
  homes,
  indexLagMs,
  journal,
  lastCount,
  ledger,
  ledgerStore,
  openDoubts,
  openParts,
  ratePerMinute,
  records,
  requests,
  reviews,
  rounds,
  spendBook,
  status,
  storedBreakers,
  storedQuestions,
  sweepSteps,
  together,
  writeBreakers,
} from '#shared/app';
import { AWS_TIMEOUTS } from '#shared/http';
import { readEnvironment, SECOND_MS } from '#shared/kernel';
import { openLambda, skipWithoutKeys, tablesOf, type Unlocked, withSecrets } from '#shared/lambda/adapters';
import { createSqsQueues } from '#shared/work-queue/adapters';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, tablesOf(env));
const { clock, logger } = lambda;
const queues = createSqsQueues(new SQSClient(AWS_TIMEOUTS), {
  urgent: env.URGENT_QUEUE_URL,
  live: env.LIVE_QUEUE_URL,
  bulk: env.BULK_QUEUE_URL,
});

export const handler = lambda.around(
  skipWithoutKeys(
    logger,
    withSecrets({ env, keys: ['hubSpotAccessToken', 'alertWebhookUrl'], clock, logger }, (unlocked) =>
      compose(unlocked),
    ),
  ),
);

function compose({ secrets, digest, send }: Unlocked<'hubSpotAccessToken' | 'alertWebhookUrl'>) {
  const settings = {
    ...lambda,
    digest,
    send,
    hubSpot: { baseUrl: env.HUBSPOT_BASE_URL, accessToken: secrets.hubSpotAccessToken },
    portalId: env.HUBSPOT_PORTAL_ID,
  };
  const parts = openParts(settings, {
    backfillReaders,
    // The sweep does not know which key is in use.
    breakers: storedBreakers,
    breakersInForce,
    checkBooks,
    counted: lastCount,
    crm,
    days,
    forgetting,
    homes,
    indexLagMs,
    journal,
    ledger,
    ledgerStore,
    openDoubts,
    questions: storedQuestions,
    ratePerMinute,
    records,
    requests,
    reviews,
    together,
    rounds,
    spendBook,
    status,
    sweepSteps,
    writeBreakers,
  });
  return createHandler({
    ...settings,
    ...parts,
    queues,
    tell: openTell({ webhookUrl: secrets.alertWebhookUrl, send, logger }),
    name: env.POWERTOOLS_SERVICE_NAME,
    stack: env.POWERTOOLS_SERVICE_NAME,
    ownAppId: env.HUBSPOT_APP_ID,
    installedAtMs: Date.parse(env.INSTALLED_AT),
    askerGraceMs: env.WORKER_TIMEOUT_S * SECOND_MS,
  });
}
