import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { parsePolicy } from '#shared/field-policy';
import { AWS_TIMEOUTS } from '#shared/http';
import { correctedClock } from '#shared/kernel';
import { systemIds as newId, systemRandom as random, systemClock } from '#shared/kernel/adapters';
import { openTelemetry } from '#shared/metrics/adapters';
import type { TableName } from '#shared/store';
import { createDynamoStore, watchStoreClock } from '#shared/store/adapters';
import type { CommonEnv, TablesEnv } from './env.ts';

/** Opens the parts that every function with tables needs. Telemetry's `around` wraps the function's handler. */
export function openLambda(env: CommonEnv, tables: Readonly<Partial<Record<TableName, string>>>) {
  const marshallOptions = { removeUndefinedValues: true };
  const telemetry = openTelemetry(env.POWERTOOLS_SERVICE_NAME);
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient(AWS_TIMEOUTS), { marshallOptions });
  const referenceClock = watchStoreClock(dynamo, systemClock);
  const policy = readPolicy(env.POLICY_FILE);
  const store = createDynamoStore({
    client: dynamo,
    tables,
    policy,
    newId,
    random,
    clock: systemClock,
    storeClock: referenceClock,
  });
  return {
    ...telemetry,
    policy,
    store,
    referenceClock,
    clock: correctedClock(systemClock, referenceClock),
    newId,
    random,
  };
}

export function tablesOf(env: TablesEnv): Readonly<Record<TableName, string>> {
  return {
    ledger: env.LEDGER_TABLE,
    proof: env.PROOF_TABLE,
    state: env.STATE_TABLE,
  };
}

/** @throws Error that names the file. So with a wrong policy, the first start after a deployment fails. */
function readPolicy(file: string) {
  try {
    return parsePolicy(JSON.parse(readFileSync(resolve(import.meta.dirname, file), 'utf8')));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown error';
    throw new Error(`The policy in ${file} cannot be used: ${why}`, { cause: error });
  }
}
