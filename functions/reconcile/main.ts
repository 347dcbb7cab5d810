import { SQSClient } from '@aws-sdk/client-sqs';
import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { worstCaseOfRefresh } from '../../shared/enrichment/plan.ts';
import { HOUR_MS, SECOND_MS } from '../../shared/kernel/clock.ts';
import { readEnvironment } from '../../shared/kernel/environment.ts';
import { measure } from '../../shared/metrics/metrics.ts';
import { OBJECT_TYPES } from '../../shared/records/crm-record.ts';
import { createSqsQueue } from '../../shared/work-queue/queue.sqs.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';
import { readGauges } from './read-gauges.ts';

const env = readEnvironment(envSchema, process.env);
const client = new SQSClient();

export const handler = createLambda(
  env,
  (parts, { policy, installedAtMs, clock, newId, logger, metrics }) => {
    const { records, questions, forgetting, crm, cursors } = parts;
    const { timeZone } = policy;
    const dearestCredits = Math.max(...OBJECT_TYPES.map((type) => worstCaseOfRefresh(type, policy)));
    const reconcile = createHandler({
      records,
      questions,
      forgetting,
      liveQueue: createSqsQueue({ client, queueUrl: env.LIVE_QUEUE_URL }),
      bulkQueue: createSqsQueue({ client, queueUrl: env.BULK_QUEUE_URL }),
      crm,
      cursors,
      projectSpend: parts.spendBook.project,
      tellGauges: async () => metrics.emit(await readGauges({ ...parts, clock, timeZone, dearestCredits })),
      installedAtMs,
      askerGraceMs: env.WORKER_TIMEOUT_S * SECOND_MS,
      doubtsChargedAfterMs: policy.doubtsChargedAfterHours && policy.doubtsChargedAfterHours * HOUR_MS,
      clock,
      newId,
      logger,
    });
    return async () => {
      const report = await reconcile();
      if (report.runs) metrics.emit([measure('conservationDifference', report.runs.lost)]);
      return report;
    };
  },
);
