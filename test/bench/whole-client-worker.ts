import { Client } from '@hubspot/api-client';
import { createServices, openLambda, tablesOf, withSecrets } from '#shared/composition/adapters';
import { readEnvironment } from '#shared/kernel';
import { envSchema } from '../../functions/enrich-records/env.ts';
import { createHandler } from '../../functions/enrich-records/handler.ts';

/** A worker with HubSpot's whole client, as in HubSpot's examples. */
export const hubSpot = new Client({ accessToken: 'none' });

const env = readEnvironment(envSchema, process.env);
const { around, ...common } = openLambda(env, tablesOf(env));

export const handler = around(
  withSecrets({ env, keys: ['dataServiceApiKey', 'hubSpotAccessToken'], ...common }, ({ secrets, send }) => {
    const services = createServices({
      ...common,
      send,
      installationSecret: secrets.installationSecret,
      dataService: { baseUrl: env.DATA_SERVICE_BASE_URL, apiKey: secrets.dataServiceApiKey },
      hubSpot: { accessToken: secrets.hubSpotAccessToken },
    });
    return createHandler({ ...common, ...services, installedAtMs: Date.parse(env.INSTALLED_AT) });
  }),
);
