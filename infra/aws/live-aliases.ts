import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import {
  Alias,
  CfnFunction,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName, LIVE_ALIAS, releaseText } from './names.ts';

/** Invoked without waiting by its schedule: the next run does what this one could not. */
const SCHEDULED: readonly FunctionName[] = ['refresh-stale', 'reconcile'];

/**
 * Publishes a version of each function, and points the alias that all callers use to it. A change of one function publishes
 * all: a release is one version of each, so that all can go back together.
 */
export function publishLive(
  scope: Construct,
  functions: Readonly<Record<FunctionName, LambdaFunction>>,
): Readonly<Record<FunctionName, IFunction>> {
  const release = releaseOf(Object.values(functions));
  const publish = (name: FunctionName) => {
    const resource = resourceOf(functions[name]);
    resource.description = `${Stack.of(scope).stackName}: ${name}, ${releaseText(release)}`;
    return new Alias(scope, `${functions[name].node.id}Live`, {
      aliasName: LIVE_ALIAS,
      // The library declares its own classes less strictly than these interfaces.
      version: functions[name].currentVersion as IVersion,
      // How Lambda repeats is a setting of the alias that is called, not of the function.
      ...(SCHEDULED.includes(name) && { retryAttempts: 0 }),
    }) as IFunction;
  };
  const published = FUNCTIONS.map((name) => [name, publish(name)] as const);
  return Object.fromEntries(published) as Record<FunctionName, IFunction>;
}

/** A hash of all that a version keeps of its function. */
function releaseOf(functions: readonly LambdaFunction[]): string {
  const kept = functions.map((each) => {
    const { code, environment, runtime, memorySize, timeout, tracingConfig } = resourceOf(each);
    return Stack.of(each).resolve({ code, environment, runtime, memorySize, timeout, tracingConfig });
  });
  return createHash('sha256').update(JSON.stringify(kept)).digest('hex').slice(0, 8);
}

function resourceOf({ node: { defaultChild, path } }: LambdaFunction): CfnFunction {
  if (defaultChild instanceof CfnFunction) return defaultChild;
  throw new Error(`${path} is no function.`);
}
