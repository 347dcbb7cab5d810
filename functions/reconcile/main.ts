import { SQSClient } from '@aws-sdk/client-sqs';
import { createAlerting } from '#shared/composition/alerts.aws.ts';
import { createAudit, createBooks } from '#shared/composition/books.aws.ts';
import { createCrm } from '#shared/composition/crm.aws.ts';
import { openLambda, tablesOf } from '#shared/composition/lambda.aws.ts';
import { createBreakerItems, createQuestions, createRateReader } from '#shared/composition/questions.aws.ts';
import {
  createBackfills,
  createCounted,
  createCursors,
  createDynamoDailyBrought,
  createDynamoReviews,
  createDynamoWriteBreakers,
  createExecutions,
  createIndexLag,
  createPolicies,
  createPortal,
  createRecords,
  createRounds,
  createWriteJournal,
} from '#shared/composition/records.aws.ts';
import { createSpend } from '#shared/composition/spend.aws.ts';
import { onceKeysAreThere, type Unlocked, withSecrets } from '#shared/composition/with-secrets.aws.ts';
import { OBJECT_TYPES } from '#shared/crm/crm-record.ts';
import { cheapestQuestion, worstCaseOfRefresh } from '#shared/enrichment/ask/worst-case.ts';
import { advanceBackfills } from '#shared/enrichment/backfill/advance.ts';
import { archiveOnce } from '#shared/enrichment/policy-change/archive.ts';
import { AWS_TIMEOUTS } from '#shared/http/aws-timeouts.ts';
import { HOUR_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { readEnvironment } from '#shared/kernel/environment.ts';
import { readGauges } from '#shared/metrics/gauges.ts';
import { readOtherInstallation } from '#shared/metrics/other-installation.ts';
import { createForgetting } from '#shared/privacy/forget-person.ts';
import { readBreakers } from '#shared/questions/breakers.ts';
import { createSqsQueues } from '#shared/work-queue/queue.sqs.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';
import { meterAudits } from './metered.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, tablesOf(env));
const { policy, clock, logger, metrics } = lambda;
const client = new SQSClient(AWS_TIMEOUTS);

export const handler = lambda.around(
  onceKeysAreThere(
    logger,
    withSecrets({ env, keys: ['hubSpotAccessToken', 'alertWebhookUrl'], clock, logger }, (unlocked) =>
      compose(unlocked),
    ),
  ),
);

function compose({ secrets, digest, send }: Unlocked<'hubSpotAccessToken' | 'alertWebhookUrl'>) {
  const settings = { ...lambda, digest, send };
  const { ledger, ledgerStore } = createBooks(settings);
  const { storeClock } = lambda;
  const questions = { ...createQuestions(settings), ledger, storeClock };
  const records = createRecords(settings);
  const journal = createWriteJournal(settings);
  const reviews = createDynamoReviews(settings);
  const spendBook = createSpend(settings, ledgerStore);
  const breakerItems = createBreakerItems(settings);
  const gauged = {
    counted: createCounted(settings),
    cursors: createCursors(settings),
    dailyBrought: createDynamoDailyBrought(settings),
    indexLagMs: createIndexLag(settings),
    writeBreakers: createDynamoWriteBreakers(settings),
    breakers: { read: () => readBreakers({ items: breakerItems, account: settings.account }) },
    timeZone: policy.timeZone,
    dearestCredits: Math.max(...OBJECT_TYPES.map((type) => worstCaseOfRefresh(type, policy))),
  };
  const hubSpot = { baseUrl: env.HUBSPOT_BASE_URL, accessToken: secrets.hubSpotAccessToken };
  const { crm, hubSpot: hubSpotClient } = createCrm({ ...settings, hubSpot });
  const forgetting = createForgetting({ ...questions, records, journal, reviews });
  const portal = createPortal(settings, {
    configured: env.HUBSPOT_PORTAL_ID,
    account: hubSpotClient.accountDetails,
  });
  const audited = { records, forgetting, crm, portal };
  return createHandler({
    ...settings,
    records,
    questions,
    forgetting,
    queues: createSqsQueues(client, {
      urgent: env.URGENT_QUEUE_URL,
      live: env.LIVE_QUEUE_URL,
      bulk: env.BULK_QUEUE_URL,
    }),
    ratePerMinute: createRateReader(settings),
    cheapestCredits: cheapestQuestion(policy),
    breakers: gauged.breakers,
    dearestCredits: gauged.dearestCredits,
    crm,
    cursors: gauged.cursors,
    executions: createExecutions(settings),
    advanceBackfills: () =>
      advanceBackfills({ ...settings, ...createBackfills(settings), records, ledger, crm }),
    archivePolicy: archiveOnce({ ...settings, policies: createPolicies(settings) }, policy),
    projectSpend: spendBook.project,
    ...meterAudits(
      { auditBooks: createAudit(settings, ledgerStore), rounds: createRounds(settings, audited) },
      metrics,
    ),
    tellGauges: async () =>
      metrics.emit(await readGauges({ ...settings, ...gauged, spendBook, ledger, records })),
    tellInstallations: async () => metrics.emit([await readOtherInstallation({ crm, digest })]),
    tellAlerts: createAlerting({
      ...settings,
      ...gauged,
      ledger,
      name: env.POWERTOOLS_SERVICE_NAME,
      webhookUrl: secrets.alertWebhookUrl,
    }),
    installedAtMs: Date.parse(env.INSTALLED_AT),
    askerGraceMs: env.WORKER_TIMEOUT_S * SECOND_MS,
    doubtsChargedAfterMs: policy.doubtsChargedAfterHours && policy.doubtsChargedAfterHours * HOUR_MS,
  });
}
