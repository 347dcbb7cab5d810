import { openParts, SPEND_PAGE_PARTS } from '#shared/app';
import { readEnvironment } from '#shared/kernel';
import { openLambda } from '#shared/lambda/adapters';
import { viewSources } from '#shared/spend';
import { envSchema } from './env.ts';
import {
  createHandler,
  createWidgetHandler,
  type ReportEvent,
  type WidgetCall,
  type WidgetEvent,
} from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, { ledger: env.LEDGER_TABLE, state: env.STATE_TABLE });
const { clock, logger, policy } = lambda;
const sources = viewSources(openParts({ ...lambda, portalId: env.HUBSPOT_PORTAL_ID }, SPEND_PAGE_PARTS), {
  // Only real services are deployed; stand-ins run on laptops.
  service: 'real',
  hubSpot: { appId: env.HUBSPOT_APP_ID },
  stack: env.POWERTOOLS_SERVICE_NAME,
  policy,
  clock,
});
const answer = createHandler({ ...sources, logger });
const show = createWidgetHandler(sources);

/** Called by an HTTP API or by a CloudWatch dashboard. */
export const handler = lambda.around(async (event: ReportEvent | WidgetEvent, context: WidgetCall) =>
  'requestContext' in event ? answer(event) : show(event, context),
);
