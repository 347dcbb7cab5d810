import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AssetHashType, DockerImage, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  CfnFunction,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type BuildResult, buildSync } from 'esbuild';
import { BUNDLE_ALIASES, BUNDLE_EXTERNALS, BUNDLE_OPTIONS } from './bundle-options.ts';
import type { Configuration } from './configuration.ts';
import { BUNDLED_POLICY, type EnvironmentParts, variablesOf, WORKER_TIMEOUT } from './env.ts';
import { FUNCTIONS, type FunctionName, LIVE_ALIAS, PROJECT_ROOT, releaseText } from './names.ts';
import { KEY_ACTIONS, permissionsOf, type ResourceName, SECRET_ACTION, SECRETS_OF } from './permissions.ts';

/** Timeout of a function, and its memory, which also determines its processor share. */
interface Size {
  readonly timeout: Duration;
  readonly memoryMb: number;
}

const SIZES: Readonly<Record<FunctionName, Size>> = {
  // HubSpot waits five seconds. A cold start with less memory would take one or two of these.
  'receive-webhook': { timeout: Duration.seconds(10), memoryMb: 512 },
  // The worker mostly waits. Half a gigabyte gives a third of a processor, which is enough for a cold start and a
  // batch of answers.
  'enrich-records': { timeout: WORKER_TIMEOUT, memoryMb: 512 },
  // Reads and writes up to a thousand records.
  'refresh-stale': { timeout: Duration.minutes(5), memoryMb: 512 },
  // Four scheduled runs may overlap. All but one of them end at once (`shared/work-queue/sweep/sweep-window.ts`).
  reconcile: { timeout: Duration.minutes(4), memoryMb: 512 },
  // A person waits for the page in the console.
  'report-spend': { timeout: Duration.seconds(30), memoryMb: 512 },
  // HubSpot waits fifteen seconds.
  'serve-hubspot': { timeout: Duration.seconds(14), memoryMb: 512 },
};

interface FunctionsParts extends EnvironmentParts {
  readonly arns: Readonly<Record<ResourceName, string>>;
}

/** Creates the functions, each with its own role and log group. */
export class Functions extends Construct {
  readonly byName: Readonly<Record<FunctionName, LambdaFunction>>;
  /** Aliases that routes, queues, schedules and the dashboard invoke. */
  readonly live: Readonly<Record<FunctionName, IFunction>>;

  constructor(scope: Construct, services: FunctionsParts) {
    super(scope, 'Functions');
    const created = FUNCTIONS.map((name) => [name, createFunction(this, name, services)] as const);
    this.byName = Object.fromEntries(created) as Record<FunctionName, LambdaFunction>;
    this.live = publishLive(this, this.byName);
  }
}

function createFunction(scope: Construct, name: FunctionName, services: FunctionsParts): LambdaFunction {
  const id = pascalCase(name);
  const logGroup = new LogGroup(scope, `${id}Logs`, {
    retention: services.configuration.logRetentionDays,
    // Logs outlive the stack for their retention.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: functionCode(name, services.configuration),
    handler: 'index.handler',
    role: createRole(scope, { id, name, logGroup, services }),
    logGroup,
    timeout: SIZES[name].timeout,
    memorySize: SIZES[name].memoryMb,
    environment: { ...variablesOf(name, services), NODE_OPTIONS: '--enable-source-maps' },
    // This also adds the permission to the role. The code has no tracer, so the trace has only Lambda's own segments.
    ...(services.configuration.tracing && { tracing: Tracing.ACTIVE }),
    // Earlier versions stay, so that the alias can go back to one of them. The version of a failed deployment is
    // deleted.
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
  });
}

/** Creates a role that may write to the function's own log group and perform the actions in `permissions.ts`. */
function createRole(
  scope: Construct,
  {
    id,
    name,
    logGroup,
    services,
  }: { id: string; name: FunctionName; logGroup: LogGroup; services: FunctionsParts },
): Role {
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  for (const { actions, resource, keys } of permissionsOf(name)) {
    const conditions = keys && {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    };
    const resources = [services.arns[resource]];
    role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources, ...(conditions && { conditions }) }),
    );
  }
  const secrets = SECRETS_OF[name].map((key) => services.arns[key]);
  if (secrets.length > 0) {
    role.addToPolicy(new PolicyStatement({ actions: [SECRET_ACTION], resources: secrets }));
  }
  const { kmsKeyArn } = services.configuration;
  if (kmsKeyArn !== undefined)
    role.addToPolicy(new PolicyStatement({ actions: [...KEY_ACTIONS], resources: [kmsKeyArn] }));
  return role;
}

/** receive-webhook -> ReceiveWebhook */
function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/**
 * Functions that schedules invoke asynchronously. A run that fails or cannot start within a minute is dropped,
 * because the next run does its work. Otherwise late runs would pile up and start together.
 */
const SCHEDULED: readonly FunctionName[] = ['refresh-stale', 'reconcile'];

/**
 * Publishes a version of each function, and points the alias that all callers use to this version. A change of one
 * function publishes all functions. A release is one version of each, so that all functions can go back together.
 */
function publishLive(
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

/**
 * Calls esbuild directly. The CDK's own construct starts npx for each function, which takes longer than the bundling.
 */
function buildFunction(name: FunctionName): BuildResult<{ write: false; metafile: true }> {
  return buildSync({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: [`functions/${name}/main.ts`],
    // No file is written at this path. It is fixed so that the source map's paths, and the hash, are the same on
    // every machine.
    outfile: `cdk.out/function/index.mjs`,
    write: false,
    metafile: true,
    ...BUNDLE_OPTIONS,
    sourcemap: true,
    sourcesContent: false,
    alias: BUNDLE_ALIASES,
    external: [...BUNDLE_EXTERNALS],
  });
}

/** Contents of a function's package: `index.mjs`, its source map, and the policy. */
function functionCode(name: FunctionName, { policyJson }: Pick<Configuration, 'policyJson'>): Code {
  return Code.fromAsset(join(PROJECT_ROOT, 'functions', name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // The type requires an image, but it is never used: the bundle is always built here.
      image: DockerImage.fromRegistry('none'),
      local: {
        tryBundle: (folder) => {
          mkdirSync(folder, { recursive: true });
          for (const { path, contents } of buildFunction(name).outputFiles) {
            writeFileSync(join(folder, basename(path)), contents);
          }
          if (name !== 'receive-webhook') writeFileSync(join(folder, BUNDLED_POLICY), policyJson);
          return true;
        },
      },
    },
  });
}
