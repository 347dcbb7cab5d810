import { Duration } from 'aws-cdk-lib';
import type * as z from 'zod';
import type { envSchema as workerSchema } from '../../functions/enrich-records/env.ts';
import type { envSchema as receiverSchema } from '../../functions/receive-webhook/env.ts';
import type { envSchema as reconcilerSchema } from '../../functions/reconcile/env.ts';
import type { envSchema as refresherSchema } from '../../functions/refresh-stale/env.ts';
import type { envSchema as reporterSchema } from '../../functions/report-spend/env.ts';
import type { envSchema as serverSchema } from '../../functions/serve-hubspot/env.ts';
import type { Configuration } from './configuration.ts';
import { type FunctionName, secretPrefix, usedTable } from './names.ts';
import type { Queues } from './queues.ts';

/**
 * At the slowest rate, four invocations of five records share 20 requests a minute. Faster rates have larger batches
 * and take as long. So the wait for slots can reach a minute. A closed rate-limit window adds another minute, and
 * each call can take as long as its own timeout.
 */
export const WORKER_TIMEOUT = Duration.seconds(300);

/** File of the validated policy, beside the code. The receiver has no policy. */
export const BUNDLED_POLICY = 'policy.json';

/** Input of the functions' schemas, so that a missing variable is a type error. */
interface Environments extends Record<FunctionName, object> {
  readonly 'receive-webhook': z.input<typeof receiverSchema>;
  readonly 'enrich-records': z.input<typeof workerSchema>;
  readonly 'refresh-stale': z.input<typeof refresherSchema>;
  readonly reconcile: z.input<typeof reconcilerSchema>;
  readonly 'report-spend': z.input<typeof reporterSchema>;
  readonly 'serve-hubspot': z.input<typeof serverSchema>;
}

export interface EnvironmentParts {
  readonly configuration: Configuration;
  readonly queues: Queues;
  readonly publicUrl: string;
  /** ISO 8601. */
  readonly installedAt: string;
}

/** Builds the environment of each function. It contains no secret. */
export function environments(services: EnvironmentParts): Environments {
  const { configuration, queues, publicUrl } = services;
  const { hubSpotAppId, hubSpotPortalId, webhookAllowV1, ruleProperties } = configuration;
  const ownApp = hubSpotAppId !== undefined && { HUBSPOT_APP_ID: hubSpotAppId };
  const ownPortal = hubSpotPortalId !== undefined && { HUBSPOT_PORTAL_ID: hubSpotPortalId };
  const { urgent, live, bulk } = queues.lanes;
  const queueUrls = {
    URGENT_QUEUE_URL: urgent.queue.queueUrl,
    LIVE_QUEUE_URL: live.queue.queueUrl,
    BULK_QUEUE_URL: bulk.queue.queueUrl,
  };
  const worker = workerEnvironment(services);
  const { LEDGER_TABLE, STATE_TABLE } = worker;
  const common = commonEnvironment(services);
  return {
    'receive-webhook': {
      ...secretsEnvironment(services),
      POWERTOOLS_SERVICE_NAME: common.POWERTOOLS_SERVICE_NAME,
      ...queueUrls,
      PUBLIC_URL: publicUrl,
      ...ownApp,
      ...ownPortal,
      ...(ruleProperties.length > 0 && { RULE_PROPERTIES: ruleProperties.join(',') }),
      ...(webhookAllowV1 && { WEBHOOK_ALLOW_V1: 'true' }),
    },
    'enrich-records': {
      ...worker,
      DATA_SERVICE_BASE_URL: configuration.dataServiceBaseUrl,
      ...ownApp,
      ...ownPortal,
    },
    'refresh-stale': { ...common, LEDGER_TABLE, STATE_TABLE },
    reconcile: {
      ...worker,
      ...queueUrls,
      ...ownApp,
      ...ownPortal,
      WORKER_TIMEOUT_S: String(WORKER_TIMEOUT.toSeconds()),
    },
    'report-spend': {
      ...common,
      LEDGER_TABLE,
      STATE_TABLE,
      ...ownApp,
      ...ownPortal,
    },
    'serve-hubspot': {
      ...secretsEnvironment(services),
      ...common,
      STATE_TABLE,
      URGENT_QUEUE_URL: queueUrls.URGENT_QUEUE_URL,
      BULK_QUEUE_URL: queueUrls.BULK_QUEUE_URL,
      PUBLIC_URL: publicUrl,
      ...(configuration.hubSpotBaseUrl !== undefined && { HUBSPOT_BASE_URL: configuration.hubSpotBaseUrl }),
      ...ownPortal,
    },
  };
}

function secretsEnvironment({ configuration: { stackName } }: EnvironmentParts) {
  return { SECRET_PREFIX: secretPrefix(stackName) };
}

function commonEnvironment({ configuration }: EnvironmentParts) {
  return { POWERTOOLS_SERVICE_NAME: configuration.stackName, POLICY_FILE: BUNDLED_POLICY };
}

/** Environment of the worker and the sweep, which work with HubSpot's records. */
function workerEnvironment(services: EnvironmentParts) {
  const { configuration, installedAt } = services;
  const { hubSpotBaseUrl } = configuration;
  return {
    ...secretsEnvironment(services),
    ...commonEnvironment(services),
    LEDGER_TABLE: usedTable(configuration, 'ledger'),
    PROOF_TABLE: usedTable(configuration, 'proof'),
    STATE_TABLE: usedTable(configuration, 'state'),
    ...(hubSpotBaseUrl !== undefined && { HUBSPOT_BASE_URL: hubSpotBaseUrl }),
    INSTALLED_AT: installedAt,
  };
}
