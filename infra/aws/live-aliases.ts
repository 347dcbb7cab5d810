import { createHash } from 'node:crypto';
import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alias,
  CfnFunction,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName, LIVE_ALIAS, releaseText } from './names.ts';

/**
 * Functions that schedules invoke asynchronously. A run that fails or cannot start within a minute is dropped,
 * because the next run does its work. Otherwise late runs would pile up and start together.
 */
const SCHEDULED: readonly FunctionName[] = ['refresh-stale', 'reconcile'];

/**
 * Publishes a version of each function, and points the alias that all callers use to this version. A change of one
 * function publishes all functions. A release is one version of each, so that all functions can go back together.
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
      // The retry setting belongs to the invoked alias, not to the function.
      ...(SCHEDULED.includes(name) && { retryAttempts: 0, maxEventAge: Duration.minutes(1) }),
    }) as IFunction;
  };
  const published = FUNCTIONS.map((name) => [name, publish(name)] as const);
  return Object.fromEntries(published) as Record<FunctionName, IFunction>;
}

/** A hash of everything in a function that its version keeps. */
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
