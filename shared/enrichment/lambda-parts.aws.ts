import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Policy, parsePolicy } from '../field-policy/policy.ts';
import { createUndiciSend } from '../http/send.undici.ts';
import { systemClock as clock } from '../kernel/clock.system.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { systemIds as newId } from '../kernel/ids.system.ts';
import { createJsonLogger } from '../kernel/logger.system.ts';
import { systemRandom as random } from '../kernel/random.system.ts';
import { createSecretsReader } from '../secrets/reader.secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { WorkerEnv } from './env.ts';
import { createParts, type Parts } from './parts.aws.ts';

/** What every handler needs beside the parts. */
export interface LambdaCommon {
  readonly policy: Policy;
  readonly installedAtMs: number;
  readonly clock: typeof clock;
  readonly newId: typeof newId;
  readonly logger: ReturnType<typeof createJsonLogger>;
}

/**
 * A handler that is composed at its first call from the stack's settings and the installation's secrets, and
 * again when the secrets have changed: a rotated key needs no deployment.
 */
export function createLambda<E, C, R>(
  env: WorkerEnv,
  compose: (parts: Parts, common: LambdaCommon) => (event: E, context: C) => Promise<R>,
): (event: E, context: C) => Promise<R> {
  const policy = parsePolicy(JSON.parse(env.POLICY));
  const logger = createJsonLogger(clock);
  const common = { policy, installedAtMs: Date.parse(env.INSTALLED_AT), clock, newId, logger };
  const readSecrets = createSecretsReader({
    client: new SecretsManagerClient(),
    secretId: env.SECRET_ID,
    clock,
  });
  const partsFor = partsFactory(env, common);
  let current:
    | { readonly secrets: Secrets; readonly handle: (event: E, context: C) => Promise<R> }
    | undefined;
  return async (event, context) => {
    const secrets = await readSecrets();
    if (current?.secrets !== secrets) current = { secrets, handle: compose(partsFor(secrets), common) };
    return current.handle(event, context);
  };
}

function partsFactory(env: WorkerEnv, common: LambdaCommon): (secrets: Secrets) => Parts {
  const { send } = createUndiciSend({ clock, connectTimeoutMs: 5 * SECOND_MS });
  const marshallOptions = { removeUndefinedValues: true };
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient(), { marshallOptions });
  const tables = {
    records: env.RECORDS_TABLE,
    questions: env.QUESTIONS_TABLE,
    ledger: env.LEDGER_TABLE,
    governor: env.GOVERNOR_TABLE,
  };
  return ({ installationSecret, dataServiceApiKey: apiKey, hubSpotAccessToken: accessToken }) =>
    createParts({
      ...common,
      dynamo,
      tables,
      account: 'default',
      installationSecret,
      dataService: { baseUrl: env.DATA_SERVICE_BASE_URL, apiKey },
      hubSpot: { accessToken, ...(env.HUBSPOT_BASE_URL && { baseUrl: env.HUBSPOT_BASE_URL }) },
      send,
      random,
    });
}
