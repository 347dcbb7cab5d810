import { SQSClient } from '@aws-sdk/client-sqs';
import {
  createAlerting,
  createBooks,
  createCrm,
  createRecords,
  createRounds,
  openLambda,
  skipWithoutKeys,
  tablesOf,
  type Unlocked,
  withSecrets,
} from '#shared/composition/adapters';
import { verifyNewest } from '#shared/credit-ledger';
import { OBJECT_TYPES } from '#shared/crm';
import {
  advanceBackfills,
  archiveOnce,
  cheapestQuestion,
  expireValues,
  worstCaseOfRefresh,
} from '#shared/enrichment';
import { createBackfills, createExecutions, createPolicies } from '#shared/enrichment/adapters';
import { type HomeServices, keepHome } from '#shared/home';
import { createHomes } from '#shared/home/adapters';
import { AWS_TIMEOUTS } from '#shared/http';
import { HOUR_MS, readEnvironment, SECOND_MS } from '#shared/kernel';
import { createHubSpotGauges, readGauges } from '#shared/metrics';
import { createForgetting } from '#shared/privacy';
import { readBreakers, withoutOldKey } from '#shared/questions';
import { createBreakerItems, createDoubtReaders, createQuestions } from '#shared/questions/adapters';
import { createRateReader } from '#shared/rate-limiter/adapters';
import {
  createCounted,
  createDynamoDays,
  createDynamoWriteBreakers,
  createIndexLag,
  createPortal,
  createStatus,
  createWriteJournal,
} from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { createSpend } from '#shared/spend/adapters';
import { createSqsQueues } from '#shared/work-queue/adapters';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';
import { meterAudits } from './metered.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, tablesOf(env));
const { policy, clock, logger, metrics } = lambda;
const client = new SQSClient(AWS_TIMEOUTS);

export const handler = lambda.around(
  skipWithoutKeys(
    logger,
    withSecrets({ env, keys: ['hubSpotAccessToken', 'alertWebhookUrl'], clock, logger }, (unlocked) =>
      compose(unlocked),
    ),
  ),
);

type HomeParts = Pick<
  HomeServices,
  'spendBook' | 'ledger' | 'ledgerStore' | 'reviews' | 'days' | 'crm' | 'dearestCredits'
> &
  NonNullable<HomeServices['waiting']> &
  NonNullable<HomeServices['stops']>;

function homeKeeping(parts: HomeParts): () => Promise<void> {
  const { timeZone } = policy;
  // The sweep does not know which key is in use, so it hides stops that belong to an old key.
  const breakers = { read: async () => withoutOldKey(await parts.breakers.read(), clock.now()) };
  const services: HomeServices = {
    ...{ ...parts, policy, timeZone, clock },
    homes: createHomes(lambda),
    waiting: parts,
    backfills: createBackfills(lambda).backfills,
    openDoubts: createDoubtReaders(lambda).openDoubts,
    stops: { ...parts, breakers },
    stack: env.POWERTOOLS_SERVICE_NAME,
  };
  return () => keepHome(services);
}

function compose({ secrets, digest, send }: Unlocked<'hubSpotAccessToken' | 'alertWebhookUrl'>) {
  const settings = { ...lambda, digest, send };
  const { ledger, ledgerStore } = createBooks(settings);
  const { account, referenceClock } = lambda;
  const checkBooks = () => verifyNewest(ledgerStore, { account, digest });
  const questions = { ...createQuestions(settings), ledger, referenceClock };
  const records = createRecords(settings);
  const journal = createWriteJournal(settings);
  const reviews = createDynamoReviews(settings);
  const spendBook = createSpend(settings, ledgerStore);
  const breakerItems = createBreakerItems(settings);
  const gauged = {
    ...{ ledger, records, checkBooks },
    counted: createCounted(settings),
    status: createStatus(settings),
    days: createDynamoDays(settings),
    indexLagMs: createIndexLag(settings),
    writeBreakers: createDynamoWriteBreakers(settings),
    breakers: { read: () => readBreakers({ items: breakerItems }) },
    timeZone: policy.timeZone,
    dearestCredits: Math.max(...OBJECT_TYPES.map((objectType) => worstCaseOfRefresh({ objectType }, policy))),
  };
  const hubSpot = { baseUrl: env.HUBSPOT_BASE_URL, accessToken: secrets.hubSpotAccessToken };
  const { crm, hubSpot: hubSpotClient } = createCrm({ ...settings, hubSpot });
  const forgetting = createForgetting({ ...questions, records, journal, reviews });
  const portal = createPortal(settings, {
    configured: env.HUBSPOT_PORTAL_ID,
    account: hubSpotClient.accountDetails,
  });
  const audited = { records, forgetting, crm, portal };
  const hubSpotGauges = createHubSpotGauges({ ...settings, crm });
  return createHandler({
    ...{ ...settings, records, questions, forgetting },
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
    status: gauged.status,
    executions: createExecutions(settings),
    advanceBackfills: () =>
      advanceBackfills({ ...settings, ...createBackfills(settings), records, ledger, crm }),
    archivePolicy: archiveOnce({ ...settings, policies: createPolicies(settings) }, policy),
    expireValues: () =>
      expireValues({
        ...{ ...settings, ...audited, journal, reviews },
        status: gauged.status,
        ownAppId: env.HUBSPOT_APP_ID,
      }),
    projectSpend: spendBook.project,
    keepHome: homeKeeping({ ...gauged, spendBook, ledgerStore, reviews, crm }),
    ...meterAudits({ checkBooks, rounds: createRounds(settings, audited) }, metrics),
    reportGauges: async () => metrics.emit(await readGauges({ ...settings, ...gauged, spendBook })),
    reportHubSpotGauges: async () => metrics.emit(await hubSpotGauges()),
    sendAlerts: createAlerting({
      ...settings,
      ...gauged,
      name: env.POWERTOOLS_SERVICE_NAME,
      webhookUrl: secrets.alertWebhookUrl,
    }),
    installedAtMs: Date.parse(env.INSTALLED_AT),
    askerGraceMs: env.WORKER_TIMEOUT_S * SECOND_MS,
    doubtsChargedAfterMs: policy.doubtsChargedAfterHours && policy.doubtsChargedAfterHours * HOUR_MS,
  });
}
