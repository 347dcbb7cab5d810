import { Client } from '@hubspot/api-client';
import { envSchema } from '../../functions/enrich-records/env.ts';
import { createHandler } from '../../functions/enrich-records/handler.ts';
import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { readEnvironment } from '../../shared/kernel/environment.ts';

/** The worker as it would be with the whole client at hand, as HubSpot's examples have it. */
export const hubSpot = new Client({ accessToken: 'none' });

export const handler = createLambda(readEnvironment(envSchema, process.env), (parts, common) => {
  const { records, crm, gateway, digest, journal, forgetting, portal } = parts;
  return createHandler({ records, crm, gateway, digest, journal, forgetting, portal, ...common });
});
