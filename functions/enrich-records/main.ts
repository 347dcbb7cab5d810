import {
  createAsking,
  createBooks,
  createCrm,
  createRecords,
  openLambda,
  tablesOf,
  type Unlocked,
  withSecrets,
} from '#shared/composition/adapters';
import { createBackfills, createRequests } from '#shared/enrichment/adapters';
import { createHomes } from '#shared/home/adapters';
import { readEnvironment } from '#shared/kernel';
import { outcomeObserver } from '#shared/metrics';
import { createForgetting } from '#shared/privacy';
import {
  createClaims,
  createDynamoDays,
  createDynamoWriteBreakers,
  createPortal,
  createWriteJournal,
} from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';
import { meterWork } from './metered.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, tablesOf(env));
const { clock, logger, metrics } = lambda;

const KEYS = ['dataServiceApiKey', 'hubSpotAccessToken'] as const;

export const handler = lambda.around(
  withSecrets({ env, keys: KEYS, clock, logger }, (unlocked) => {
    const { work, hubSpot } = compose(unlocked);
    return meterWork(work, { metrics, hubSpot, clock });
  }),
);

function compose({ secrets, digest, send }: Unlocked<(typeof KEYS)[number]>) {
  const dataService = { baseUrl: env.DATA_SERVICE_BASE_URL, apiKey: secrets.dataServiceApiKey };
  const settings = { ...lambda, digest, send, dataService };
  const { gateway, questions } = createAsking(settings, createBooks(settings).ledger);
  const account = { baseUrl: env.HUBSPOT_BASE_URL, accessToken: secrets.hubSpotAccessToken };
  const { hubSpot, crm } = createCrm({ ...settings, hubSpot: account });
  const records = createRecords(settings);
  const journal = createWriteJournal(settings);
  const reviews = createDynamoReviews(settings);
  const work = createHandler({
    ...settings,
    ...createRequests(settings),
    backfills: createBackfills(settings).backfills,
    records,
    crm,
    gateway,
    questions,
    homes: createHomes(settings),
    journal,
    reviews,
    writeBreakers: createDynamoWriteBreakers(settings),
    days: createDynamoDays(settings),
    companyClaims: createClaims(settings),
    forgetting: createForgetting({ ...questions, records, journal, reviews }),
    portal: createPortal(settings, { configured: env.HUBSPOT_PORTAL_ID, account: hubSpot.accountDetails }),
    ownAppId: env.HUBSPOT_APP_ID,
    installedAtMs: Date.parse(env.INSTALLED_AT),
    observer: outcomeObserver(metrics),
  });
  return { work, hubSpot };
}
