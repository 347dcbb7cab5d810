import { createServices } from '#shared/composition/services.aws.ts';
import { cheapestQuestion, worstCaseOfRefresh } from '#shared/enrichment/ask/worst-case.ts';
import { advanceBackfills } from '#shared/enrichment/backfill/advance.ts';
import { archiveOnce } from '#shared/enrichment/policy-change/archive.ts';
import type { EnrichmentObserver } from '#shared/enrichment/services.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Send } from '#shared/http/http-request.ts';
import { systemClock as clock } from '#shared/kernel/clock.system.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { systemIds as newId } from '#shared/kernel/ids.system.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import { systemRandom as random } from '#shared/kernel/random.system.ts';
import { createSqsQueues } from '#shared/work-queue/queue.sqs.ts';
import type { CountedQueue } from '#shared/work-queue/queue.ts';
import { createHandler as createEnrichHandler } from '../../functions/enrich-records/handler.ts';
import { createHandler as createReceiver } from '../../functions/receive-webhook/handler.ts';
import { createHandler as createReconciler } from '../../functions/reconcile/handler.ts';
import { createHandler as createRefresher } from '../../functions/refresh-stale/handler.ts';
import { createHandler as createSpendReporter } from '../../functions/report-spend/handler.ts';
import type { EmbeddedAws } from './embedded-aws.ts';
import { TABLES } from './tables.ts';
import type { Vendors } from './vendors.ts';

export interface SystemSettings {
  readonly aws: EmbeddedAws;
  readonly vendors: Vendors;
  readonly policy: Policy;
  readonly installedAtMs: number;
  readonly installationSecret: string;
  readonly publicUrl: string;
  readonly send: Send;
  readonly logger: Logger;
  readonly observer: EnrichmentObserver;
  /** Saves the embedded queues, which forget their messages when the process ends. */
  readonly keep: () => Promise<void>;
}

/** As the worker has on Lambda. */
export const WORKER_TIMEOUT_MS = 5 * MINUTE_MS;

export type System = ReturnType<typeof createSystem>;

/** The five functions, composed as on Lambda, over the embedded DynamoDB and SQS. */
export function createSystem(settings: SystemSettings) {
  const { aws, vendors, policy, installedAtMs, logger, observer, keep } = settings;
  const common = { clock, random, newId, logger };
  const services = createSystemServices(settings);
  const { urgent, live, bulk } = createSqsQueues(aws.sqs, aws.queueUrls);
  const queues = { urgent: lasting(urgent, keep), live: lasting(live, keep), bulk: lasting(bulk, keep) };
  return {
    services,
    receiveWebhook: createReceiver({
      queues,
      clientSecret: async () => vendors.clientSecret,
      publicUrl: settings.publicUrl,
      ownAppId: vendors.ownAppId,
      portalId: vendors.hubSpot.portalId,
      clock,
      logger,
    }),
    enrichRecords: createEnrichHandler({
      ...services,
      policy,
      installedAtMs,
      ownAppId: vendors.ownAppId,
      observer,
      ...common,
    }),
    refreshStale: createRefresher({
      ...services,
      worstCaseCredits: (objectType) => worstCaseOfRefresh(objectType, policy),
      ...common,
    }),
    reconcile: createReconciler({
      ...services,
      queues,
      ratePerMinute: services.ratePerMinute,
      cheapestCredits: cheapestQuestion(policy),
      advanceBackfills: () => advanceBackfills({ ...services, policy, clock, newId }),
      archivePolicy: archiveOnce({ ...services, clock }, policy),
      projectSpend: services.spendBook.project,
      // Nobody watches gauges here.
      tellGauges: async () => undefined,
      installedAtMs,
      askerGraceMs: WORKER_TIMEOUT_MS,
      doubtsChargedAfterMs: policy.doubtsChargedAfterHours && policy.doubtsChargedAfterHours * HOUR_MS,
      ...common,
    }),
    reportSpend: createSpendReporter({
      ...services,
      records: undefined,
      waiting: services,
      clock,
      timeZone: policy.timeZone,
      logger,
    }),
  };
}

/** What SQS has taken is safe; here a message is safely queued when it is saved. */
function lasting(queue: CountedQueue, keep: SystemSettings['keep']): CountedQueue {
  return {
    ...queue,
    send: async (messages) => {
      await queue.send(messages);
      if (messages.length > 0) await keep();
    },
  };
}

function createSystemServices({ aws, vendors, policy, installationSecret, send, logger }: SystemSettings) {
  const { dataService, hubSpot } = vendors;
  const common = { clock, random, newId, logger };
  const given = { policy, installationSecret, dataService, hubSpot, send };
  return createServices({ dynamo: aws.dynamo, tables: TABLES, account: 'default', ...given, ...common });
}
