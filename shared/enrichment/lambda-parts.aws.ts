import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Policy, parsePolicy } from '../field-policy/policy.ts';
import type { Send } from '../http/http-request.ts';
import { createUndiciSend } from '../http/send.undici.ts';
import { systemClock as clock } from '../kernel/clock.system.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { systemIds as newId } from '../kernel/ids.system.ts';
import type { Invocation } from '../kernel/logger.powertools.ts';
import type { Logger } from '../kernel/logger.ts';
import { systemRandom as random } from '../kernel/random.system.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { meterCalls, meterGateway, meterLedger } from '../metrics/question-metrics.ts';
import { meterRecords } from '../metrics/record-metrics.ts';
import { openTelemetry } from '../metrics/telemetry.powertools.ts';
import { createAskGateway } from '../questions/gateway.ts';
import { openSecrets } from '../secrets/lambda-secrets.aws.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { WorkerEnv } from './env.ts';
import { createParts, type Parts } from './parts.aws.ts';

/** What every handler needs beside the parts. */
export interface LambdaCommon {
  readonly policy: Policy;
  readonly installedAtMs: number;
  readonly clock: typeof clock;
  readonly newId: typeof newId;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

type Handle<E, C, R> = (event: E, context: C) => Promise<R>;

/**
 * A handler that is composed at its first call from the stack's settings and the installation's secrets, and
 * again when the secrets have changed: a rotated key needs no deployment.
 */
export function createLambda<E, C, R>(
  env: WorkerEnv,
  compose: (parts: Parts, common: LambdaCommon) => Handle<E, C, R>,
): Handle<E, C & Invocation, R> {
  const { logger, metrics, around } = openTelemetry(env.POWERTOOLS_SERVICE_NAME);
  const policy = readPolicy(env.POLICY);
  const installedAtMs = Date.parse(env.INSTALLED_AT);
  const common: LambdaCommon = { policy, installedAtMs, clock, newId, logger, metrics };
  const secrets = openSecrets(env, { clock, logger });
  const partsFor = partsFactory(env, { common, onRefused: secrets.doubt });
  let current: { readonly secrets: Secrets; readonly handle: Handle<E, C, R> } | undefined;
  return around(async (event, context) => {
    const read = await secrets.read();
    if (current?.secrets !== read) current = { secrets: read, handle: compose(partsFor(read), common) };
    return current.handle(event, context);
  });
}

/** @throws Error that names the variable: this is seen at the first start after a deployment. */
function readPolicy(text: string): Policy {
  try {
    return parsePolicy(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown error';
    throw new Error(`Environment variable POLICY cannot be used: ${why}`, { cause: error });
  }
}

interface Surroundings {
  readonly common: LambdaCommon;
  /** One of the outside services refused the key that it was shown. */
  readonly onRefused: () => void;
}

function partsFactory(env: WorkerEnv, { common, onRefused }: Surroundings): (secrets: Secrets) => Parts {
  const { send } = createUndiciSend({ clock, connectTimeoutMs: 5 * SECOND_MS });
  const marshallOptions = { removeUndefinedValues: true };
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient(), { marshallOptions });
  const tables = {
    records: env.RECORDS_TABLE,
    questions: env.QUESTIONS_TABLE,
    ledger: env.LEDGER_TABLE,
    governor: env.GOVERNOR_TABLE,
  };
  return ({ installationSecret, dataServiceApiKey: apiKey, hubSpotAccessToken: accessToken }) => {
    const parts = createParts({
      ...common,
      dynamo,
      tables,
      account: 'default',
      installationSecret,
      dataService: { baseUrl: env.DATA_SERVICE_BASE_URL, apiKey },
      hubSpot: {
        accessToken,
        portalId: env.HUBSPOT_PORTAL_ID,
        ...(env.HUBSPOT_BASE_URL && { baseUrl: env.HUBSPOT_BASE_URL }),
      },
      send: noticingRefusals(send, onRefused),
      random,
    });
    return metered(parts, common.metrics);
  };
}

function noticingRefusals(send: Send, onRefused: () => void): Send {
  return async (request) => {
    const response = await send(request);
    if (response.status === 401) onRefused();
    return response;
  };
}

/** The same parts, each counting what passes through it. */
function metered(parts: Parts, metrics: Metrics): Parts {
  const ledger = meterLedger(parts.ledger, metrics);
  const questions = { ...parts.questions, ledger, calls: meterCalls(parts.questions.calls, metrics) };
  const gateway = meterGateway(createAskGateway(questions), { metrics, clock });
  return { ...parts, ledger, questions, gateway, records: meterRecords(parts.records, metrics) };
}
