import type * as z from 'zod';
import type { envSchema as workerSchema } from '../../functions/enrich-records/env.ts';
import type { envSchema as receiverSchema } from '../../functions/receive-webhook/env.ts';
import type { envSchema as reconcilerSchema } from '../../functions/reconcile/env.ts';
import type { envSchema as refresherSchema } from '../../functions/refresh-stale/env.ts';
import type { envSchema as reporterSchema } from '../../functions/report-spend/env.ts';
import type { Configuration } from './configuration.ts';
import type { FunctionName } from './names.ts';
import type { Queues } from './queues.ts';
import type { Tables } from './tables.ts';
import { WORKER_TIMEOUT } from './timing.ts';

/** What the functions' schemas ask for: a variable that is missing here is a type error. */
interface Environments extends Record<FunctionName, object> {
  readonly 'receive-webhook': z.input<typeof receiverSchema>;
  readonly 'enrich-records': z.input<typeof workerSchema>;
  readonly 'refresh-stale': z.input<typeof refresherSchema>;
  readonly reconcile: z.input<typeof reconcilerSchema>;
  readonly 'report-spend': z.input<typeof reporterSchema>;
}

export interface EnvironmentParts {
  readonly configuration: Configuration;
  readonly tables: Tables;
  readonly queues: Queues;
  readonly secretId: string;
  /** The webhook's target URL. */
  readonly publicUrl: string;
  /** ISO 8601. */
  readonly installedAt: string;
}

/** The environment of each function. Nothing in it is secret. */
export function environments(parts: EnvironmentParts): Environments {
  const { configuration, queues, publicUrl } = parts;
  const { hubSpotAppId, hubSpotPortalId, webhookAllowV1 } = configuration;
  const ownApp = hubSpotAppId !== undefined && { HUBSPOT_APP_ID: hubSpotAppId };
  const ownPortal = hubSpotPortalId !== undefined && { HUBSPOT_PORTAL_ID: hubSpotPortalId };
  const LIVE_QUEUE_URL = queues.lanes.live.queue.queueUrl;
  const BULK_QUEUE_URL = queues.lanes.bulk.queue.queueUrl;
  const worker = workerEnvironment(parts);
  return {
    'receive-webhook': {
      ...commonEnvironment(parts),
      LIVE_QUEUE_URL,
      PUBLIC_URL: publicUrl,
      ...ownApp,
      ...ownPortal,
      ...(webhookAllowV1 && { WEBHOOK_ALLOW_V1: 'true' }),
    },
    'enrich-records': { ...worker, ...ownApp, ...ownPortal },
    'refresh-stale': { ...worker, BULK_QUEUE_URL },
    reconcile: {
      ...worker,
      LIVE_QUEUE_URL,
      BULK_QUEUE_URL,
      WORKER_TIMEOUT_S: String(WORKER_TIMEOUT.toSeconds()),
    },
    'report-spend': worker,
  };
}

function commonEnvironment({ configuration, secretId }: EnvironmentParts) {
  return {
    SECRET_SOURCE: configuration.secretSource,
    SECRET_ID: secretId,
    POWERTOOLS_SERVICE_NAME: configuration.stackName,
  };
}

function workerEnvironment(parts: EnvironmentParts): Environments['enrich-records'] {
  const { configuration, tables, installedAt } = parts;
  const { dataServiceBaseUrl, hubSpotBaseUrl, policyJson } = configuration;
  return {
    ...commonEnvironment(parts),
    RECORDS_TABLE: tables.records.tableName,
    QUESTIONS_TABLE: tables.questions.tableName,
    LEDGER_TABLE: tables.ledger.tableName,
    GOVERNOR_TABLE: tables.governor.tableName,
    DATA_SERVICE_BASE_URL: dataServiceBaseUrl,
    ...(hubSpotBaseUrl !== undefined && { HUBSPOT_BASE_URL: hubSpotBaseUrl }),
    POLICY: policyJson,
    INSTALLED_AT: installedAt,
  };
}
