import { Duration } from 'aws-cdk-lib';
import { envSchema as worker } from '../../functions/enrich-records/env.ts';
import { envSchema as receiver } from '../../functions/receive-webhook/env.ts';
import { envSchema as reconciler } from '../../functions/reconcile/env.ts';
import { envSchema as refresher } from '../../functions/refresh-stale/env.ts';
import { envSchema as reporter } from '../../functions/report-spend/env.ts';
import { envSchema as server } from '../../functions/serve-hubspot/env.ts';
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

const SCHEMAS = {
  'receive-webhook': receiver,
  'enrich-records': worker,
  'refresh-stale': refresher,
  reconcile: reconciler,
  'report-spend': reporter,
  'serve-hubspot': server,
} as const satisfies Readonly<Record<FunctionName, { readonly shape: object }>>;

type Variable = { [Name in FunctionName]: keyof (typeof SCHEMAS)[Name]['shape'] }[FunctionName];

export interface EnvironmentParts {
  readonly configuration: Configuration;
  readonly queues: Queues;
  readonly publicUrl: string;
  /** ISO 8601. */
  readonly installedAt: string;
}

/** Builds the environment of a function: the variables that its schema names. It contains no secret. */
export function variablesOf(
  name: FunctionName,
  { configuration, queues, publicUrl, installedAt }: EnvironmentParts,
): Record<string, string> {
  const { stackName, ruleProperties } = configuration;
  const { urgent, live, bulk } = queues.lanes;
  const values: Readonly<Record<Variable, string | undefined>> = {
    POWERTOOLS_SERVICE_NAME: stackName,
    SECRET_PREFIX: secretPrefix(stackName),
    POLICY_FILE: BUNDLED_POLICY,
    LEDGER_TABLE: usedTable(configuration, 'ledger'),
    PROOF_TABLE: usedTable(configuration, 'proof'),
    STATE_TABLE: usedTable(configuration, 'state'),
    URGENT_QUEUE_URL: urgent.queue.queueUrl,
    LIVE_QUEUE_URL: live.queue.queueUrl,
    BULK_QUEUE_URL: bulk.queue.queueUrl,
    PUBLIC_URL: publicUrl,
    INSTALLED_AT: installedAt,
    DATA_SERVICE_BASE_URL: configuration.dataServiceBaseUrl,
    HUBSPOT_BASE_URL: configuration.hubSpotBaseUrl,
    HUBSPOT_APP_ID: configuration.hubSpotAppId,
    HUBSPOT_PORTAL_ID: configuration.hubSpotPortalId,
    RULE_PROPERTIES: ruleProperties.length > 0 ? ruleProperties.join(',') : undefined,
    WEBHOOK_ALLOW_V1: configuration.webhookAllowV1 ? 'true' : undefined,
    WORKER_TIMEOUT_S: String(WORKER_TIMEOUT.toSeconds()),
  };
  const named = Object.entries(values).filter(([variable]) => variable in SCHEMAS[name].shape);
  return Object.fromEntries(named.filter((entry): entry is [Variable, string] => entry[1] !== undefined));
}
