import {
  backfillReaders,
  breakersInForce,
  checkBooks,
  companyClaims,
  crm,
  days,
  extensions,
  forgetting,
  gateway,
  homes,
  hubSpot,
  journal,
  lastCount,
  ledger,
  ledgerStore,
  openDoubts,
  openParts,
  portal,
  questions,
  records,
  requests,
  reviews,
  spendBook,
  together,
  wishes,
  writeBreakers,
} from '#shared/app';
import { readEnvironment } from '#shared/kernel';
import { openLambda, tablesOf, type Unlocked, withSecrets } from '#shared/lambda/adapters';
import { outcomeObserver } from '#shared/metrics';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';
import { meterWork } from './metered.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, tablesOf(env));
const { clock, logger, metrics } = lambda;

const KEYS = ['dataServiceApiKey', 'hubSpotAccessToken'] as const;

export const handler = lambda.around(
  withSecrets({ env, keys: KEYS, clock, logger }, (unlocked) => compose(unlocked)),
);

function compose({ secrets, digest, send }: Unlocked<(typeof KEYS)[number]>) {
  const settings = {
    ...lambda,
    digest,
    send,
    dataService: { baseUrl: env.DATA_SERVICE_BASE_URL, apiKey: secrets.dataServiceApiKey },
    hubSpot: { baseUrl: env.HUBSPOT_BASE_URL, accessToken: secrets.hubSpotAccessToken },
    portalId: env.HUBSPOT_PORTAL_ID,
  };
  const work = createHandler({
    ...settings,
    ...openParts(settings, {
      companyClaims,
      crm,
      days,
      extensions,
      forgetting,
      gateway,
      journal,
      portal,
      questions,
      records,
      requests,
      reviews,
      together,
      wishes,
      writeBreakers,
    }),
    home: {
      ...settings,
      stack: env.POWERTOOLS_SERVICE_NAME,
      ...openParts(settings, {
        backfillReaders,
        breakersInForce,
        checkBooks,
        crm,
        days,
        homes,
        ledger,
        ledgerStore,
        openDoubts,
        records,
        requests,
        reviews,
        spendBook,
        writeBreakers,
        counted: lastCount,
      }),
    },
    ownAppId: env.HUBSPOT_APP_ID,
    installedAtMs: Date.parse(env.INSTALLED_AT),
    observer: outcomeObserver(metrics),
  });
  return meterWork(work, { metrics, hubSpot: hubSpot(settings), clock });
}
