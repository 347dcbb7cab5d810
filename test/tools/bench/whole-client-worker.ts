import { Client } from '@hubspot/api-client';
import { openApp } from '#shared/app';
import { readEnvironment } from '#shared/kernel';
import { openLambda, tablesOf, withSecrets } from '#shared/lambda/adapters';
import { envSchema } from '../../../functions/enrich-records/env.ts';
import { createHandler } from '../../../functions/enrich-records/handler.ts';

/** A worker with HubSpot's whole client, as in HubSpot's examples. */
export const hubSpot = new Client({ accessToken: 'none' });

const env = readEnvironment(envSchema, process.env);
const { around, ...common } = openLambda(env, tablesOf(env));

export const handler = around(
  withSecrets(
    { env, keys: ['dataServiceApiKey', 'hubSpotAccessToken'], ...common },
    ({ secrets, digest, send }) => {
      const services = openApp({
        ...common,
        send,
        digest,
        dataService: { baseUrl: env.DATA_SERVICE_BASE_URL, apiKey: secrets.dataServiceApiKey },
        hubSpot: { accessToken: secrets.hubSpotAccessToken },
      });
      return createHandler({ ...common, ...services, installedAtMs: Date.parse(env.INSTALLED_AT) });
    },
  ),
);
