import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { readEnvironment } from '../../shared/kernel/environment.ts';
import { measure } from '../../shared/metrics/metrics.ts';
import { outcomeObserver } from '../../shared/metrics/record-metrics.ts';
import { envSchema } from './env.ts';
import { createHandler, type QueueEvent, type TimeLeft } from './handler.ts';

const env = readEnvironment(envSchema, process.env);

export const handler = createLambda(env, (parts, { metrics, ...common }) => {
  const { records, crm, gateway, digest, journal, forgetting, portal, hubSpot } = parts;
  const observer = outcomeObserver(metrics);
  const ownAppId = env.HUBSPOT_APP_ID;
  const own = { records, crm, gateway, digest, journal, forgetting, portal };
  const work = createHandler({ ...own, ownAppId, observer, ...common });
  return async (event: QueueEvent, context: TimeLeft) => {
    const startedMs = common.clock.now();
    const response = await work(event, context);
    const failed = response.batchItemFailures.length;
    if (failed > 0) metrics.emit([measure('messagesFailed', failed)]);
    // Only answers to other requests than searches tell it.
    const limit = hubSpot.dailyLimit();
    if (limit && limit.atMs > startedMs) metrics.emit([measure('hubSpotDailyRemaining', limit.remaining)]);
    return response;
  };
});
