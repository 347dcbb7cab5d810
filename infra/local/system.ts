import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { createHandler as createEnrichHandler } from '../../functions/enrich-records/handler.ts';
import { createHandler as createReceiver } from '../../functions/receive-webhook/handler.ts';
import { createHandler as createReconciler } from '../../functions/reconcile/handler.ts';
import { createHandler as createRefresher } from '../../functions/refresh-stale/handler.ts';
import { createHandler as createSpendReporter } from '../../functions/report-spend/handler.ts';
import type { EnrichmentObserver } from '../../shared/enrichment/deps.ts';
import { createParts } from '../../shared/enrichment/parts.aws.ts';
import { worstCaseOfRefresh } from '../../shared/enrichment/plan.ts';
import type { Policy } from '../../shared/field-policy/policy.ts';
import type { Send } from '../../shared/http/http-request.ts';
import { systemClock as clock } from '../../shared/kernel/clock.system.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/kernel/clock.ts';
import { systemIds as newId } from '../../shared/kernel/ids.system.ts';
import type { Logger } from '../../shared/kernel/logger.ts';
import { systemRandom as random } from '../../shared/kernel/random.system.ts';
import { createSqsQueue } from '../../shared/work-queue/queue.sqs.ts';
import type { EmbeddedAws } from './embedded-aws.ts';
import type { Services } from './services.ts';
import { TABLES } from './tables.ts';

export interface SystemSettings {
  readonly aws: EmbeddedAws;
  readonly services: Services;
  readonly policy: Policy;
  readonly installedAtMs: number;
  readonly installationSecret: string;
  readonly publicUrl: string;
  readonly send: Send;
  readonly logger: Logger;
  readonly observer: EnrichmentObserver;
}

/** As the worker has on Lambda. */
export const WORKER_TIMEOUT_MS = 5 * MINUTE_MS;

export type System = ReturnType<typeof createSystem>;

/** The five functions, composed as on Lambda, over the embedded DynamoDB and SQS. */
export function createSystem(settings: SystemSettings) {
  const { aws, services, policy, installedAtMs, logger, observer } = settings;
  const common = { clock, random, newId, logger };
  const parts = createSystemParts(settings);
  const liveQueue = createSqsQueue({ client: aws.sqs, queueUrl: aws.queueUrls.live });
  const bulkQueue = createSqsQueue({ client: aws.sqs, queueUrl: aws.queueUrls.bulk });
  return {
    parts,
    /** Puts a message that was queued in an earlier life of this process back where it was. */
    requeue: (queue: 'live' | 'bulk', body: string) =>
      aws.sqs.send(new SendMessageCommand({ QueueUrl: aws.queueUrls[queue], MessageBody: body })),
    receiveWebhook: createReceiver({
      queue: liveQueue,
      clientSecret: async () => services.clientSecret,
      publicUrl: settings.publicUrl,
      ownAppId: services.ownAppId,
      portalId: services.hubSpot.portalId,
      clock,
      logger,
    }),
    enrichRecords: createEnrichHandler({
      ...parts,
      policy,
      installedAtMs,
      ownAppId: services.ownAppId,
      observer,
      ...common,
    }),
    refreshStale: createRefresher({
      ...parts,
      bulkQueue,
      worstCaseCredits: (objectType) => worstCaseOfRefresh(objectType, policy),
      ...common,
    }),
    reconcile: createReconciler({
      ...parts,
      liveQueue,
      bulkQueue,
      projectSpend: parts.spendBook.project,
      // Nobody watches gauges here.
      tellGauges: async () => undefined,
      installedAtMs,
      askerGraceMs: WORKER_TIMEOUT_MS,
      doubtsChargedAfterMs: policy.doubtsChargedAfterHours && policy.doubtsChargedAfterHours * HOUR_MS,
      ...common,
    }),
    reportSpend: createSpendReporter({
      ...parts,
      records: undefined,
      clock,
      timeZone: policy.timeZone,
      logger,
    }),
  };
}

function createSystemParts({ aws, services, policy, installationSecret, send, logger }: SystemSettings) {
  const { dataService, hubSpot } = services;
  const common = { clock, random, newId, logger };
  const given = { policy, installationSecret, dataService, hubSpot, send };
  return createParts({ dynamo: aws.dynamo, tables: TABLES, account: 'default', ...given, ...common });
}
