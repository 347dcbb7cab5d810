import { Aws, CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { CfnAlarm, CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { LANES } from '#shared/crm';
import { type SecretKey, secretName } from '#shared/secrets';
import { ITEM_TABLE, type TableName } from '#shared/store';
import type { Configuration } from './configuration.ts';
import { Functions } from './functions.ts';
import { Alarms, SpendDashboard } from './monitoring.ts';
import {
  LANE_IDS,
  type StackParameter,
  secretPrefix,
  stackParameterId,
  stackParameterName,
  usedTable,
} from './names.ts';
import type { ResourceName } from './permissions.ts';
import { EventSources, Queues } from './queues.ts';
import { Routes } from './routes.ts';
import { pinned, stackWide } from './stack-parts.ts';

/** Everything that can be created again: functions, queues, schedules, alarms, and the routes. */
export class ComputeStack extends Stack {
  constructor(scope: Construct, configuration: Configuration) {
    const { stackName } = configuration;
    super(scope, stackName, {
      stackName,
      ...stackWide(configuration),
      description: 'Completes HubSpot contacts and companies from a data service, and books every credit.',
    });
    createCompute(this, configuration);
  }
}

/**
 * Creates the resources.
 * @param scope the stack, or a construct in it. The choice changes neither the data stack nor the names of resources.
 */
export function createCompute(scope: Construct, configuration: Configuration): void {
  const stack = Stack.of(scope);
  const publicUrl = configuration.publicUrl ?? parameterOf(stack, configuration, 'webhookUrl');
  const installedAt = parameterOf(stack, configuration, 'installedAt');
  const queues = new Queues(scope);
  const arns = arnsOf(stack, { ...configuration, queues });
  const functions = new Functions(scope, { configuration, queues, publicUrl, installedAt, arns });
  const { live } = functions;
  const apiId = parameterOf(stack, configuration, 'apiId');
  new Routes(scope, {
    apiId,
    accessLogName: parameterOf(stack, configuration, 'accessLog'),
    stackName: configuration.stackName,
    receiver: live['receive-webhook'],
    server: live['serve-hubspot'],
  });
  new EventSources(scope, { worker: live['enrich-records'], queues, configuration });
  new Schedules(scope, {
    ...configuration,
    reconcile: live.reconcile,
    refreshStale: live['refresh-stale'],
  });
  const service = configuration.stackName;
  const alarms = new Alarms(scope, { service, functions, queues, apiId, email: configuration.alarmEmail });
  // A fixed logical id keeps the topic. So its subscribers do not have to subscribe again.
  pinned(alarms.topic, 'AlarmsTopic');
  pinned(alarms.topic.node.findChild('Policy'), 'AlarmsTopicPolicy');
  const dashboard = new SpendDashboard(scope, { service, functions, queues, alarms });
  pinNamed(scope, service);
  createOutputs(stack, { configuration, publicUrl, installedAt, queues, functions, alarms, dashboard });
  // The commands read the policy from the metadata, because an output is too small for it.
  stack.templateOptions.metadata = { Policy: configuration.policyJson };
}

/**
 * Reads a parameter of the data stack. CloudFormation resolves it at each deployment, so neither stack locks the other.
 */
function parameterOf(stack: Stack, { stackName }: Configuration, key: StackParameter): string {
  const type = 'AWS::SSM::Parameter::Value<String>';
  const parameter = { type, default: stackParameterName(stackName, key) };
  return new CfnParameter(stack, stackParameterId(key), parameter).valueAsString;
}

/**
 * Fixes logical ids of named resources. If an id changed, CloudFormation would create the new resource before it
 * deletes the old one, and AWS refuses two resources of the same name.
 */
function pinNamed(scope: Construct, stackName: string): void {
  for (const child of scope.node.findAll()) {
    const [kind, name] =
      child instanceof CfnAlarm
        ? ['Alarms', child.alarmName]
        : child instanceof CfnDashboard
          ? ['Dashboard', child.dashboardName]
          : [];
    if (name !== undefined)
      pinned(child, `${kind}${name.slice(stackName.length).replaceAll(/[^A-Za-z]/g, '')}`);
  }
}

interface OutputParts {
  readonly configuration: Configuration;
  readonly publicUrl: string;
  readonly installedAt: string;
  readonly queues: Queues;
  readonly functions: Functions;
  readonly alarms: Alarms;
  readonly dashboard: SpendDashboard;
}

/** Outputs by which the operator's commands and the tests find the deployed parts. Their names must not change. */
function createOutputs(stack: Stack, services: OutputParts): void {
  const { configuration, queues, functions } = services;
  const { stackName } = configuration;
  const { byName } = functions;
  const outputs: Readonly<Record<string, string>> = {
    WebhookUrl: services.publicUrl,
    InstalledAt: services.installedAt,
    LedgerTable: usedTable(configuration, 'ledger'),
    ProofTable: usedTable(configuration, 'proof'),
    StateTable: usedTable(configuration, 'state'),
    ...Object.fromEntries(
      LANES.flatMap((lane) => [
        [`${LANE_IDS[lane]}QueueUrl`, queues.lanes[lane].queue.queueUrl],
        [`${LANE_IDS[lane]}DeadLettersUrl`, queues.lanes[lane].deadLetters.queueUrl],
      ]),
    ),
    SecretPrefix: secretPrefix(stackName),
    DataServiceBaseUrl: configuration.dataServiceBaseUrl,
    ...(configuration.hubSpotBaseUrl !== undefined && { HubSpotBaseUrl: configuration.hubSpotBaseUrl }),
    ...(configuration.hubSpotAppId !== undefined && { HubSpotAppId: configuration.hubSpotAppId }),
    ...(configuration.hubSpotPortalId !== undefined && { HubSpotPortalId: configuration.hubSpotPortalId }),
    ReceiveWebhookFunction: byName['receive-webhook'].functionName,
    EnrichRecordsFunction: byName['enrich-records'].functionName,
    RefreshStaleFunction: byName['refresh-stale'].functionName,
    ReconcileFunction: byName.reconcile.functionName,
    ReportSpendFunction: byName['report-spend'].functionName,
    ServeHubSpotFunction: byName['serve-hubspot'].functionName,
    AlarmTopic: services.alarms.topic.topicArn,
    DashboardName: services.dashboard.name,
  };
  for (const [key, value] of Object.entries(outputs))
    new CfnOutput(stack, `${key}Output`, { value }).overrideLogicalId(key);
}

interface ScheduleParts {
  readonly reconcile: IFunction;
  readonly refreshStale: IFunction;
  readonly reconcileSchedule: string;
  readonly refreshSchedule: string;
  /** IANA name, for cron schedules. */
  readonly timeZone: string;
}

/**
 * Runs `reconcile` and `refresh-stale` regularly. A run that Scheduler could not start is not repeated later, because
 * the next run does its work too. The alarm "Sweep stopped" reports missing runs. A missed run loses nothing, so
 * there is no dead-letter queue. The library's schedule target is not used, because it would grant access to more
 * than the alias.
 */
class Schedules extends Construct {
  constructor(scope: Construct, services: ScheduleParts) {
    super(scope, 'Schedules');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    });
    const targets = [
      { id: 'Reconcile', target: services.reconcile, expression: services.reconcileSchedule },
      { id: 'RefreshStale', target: services.refreshStale, expression: services.refreshSchedule },
    ];
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: targets.map(({ target }) => target.functionArn),
      }),
    );
    for (const { id, target, expression } of targets) {
      const schedule = new CfnSchedule(this, id, {
        scheduleExpression: expression,
        scheduleExpressionTimezone: services.timeZone,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: target.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify({ schedule: id }),
          // The shortest age that Scheduler accepts. After that, the next run is near.
          retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 60 },
        },
      });
      schedule.node.addDependency(role);
    }
  }
}

type Installation = Pick<Configuration, 'stackName' | 'ledgerTable' | 'proofTable'>;

/** The ARN of each resource that a permission can name. Resources of the data stack are found by their fixed names. */
function arnsOf(
  stack: Stack,
  { queues, ...installation }: Installation & { readonly queues: Queues },
): Readonly<Record<ResourceName, string>> {
  const table = (name: TableName) =>
    stack.formatArn({
      service: 'dynamodb',
      resource: 'table',
      resourceName: usedTable(installation, name),
    });
  const secret = (key: SecretKey) => secretArn(stack, installation, key);
  return {
    ledger: table('ledger'),
    proof: table('proof'),
    state: table('state'),
    stateIndex: `${table('state')}/index/${ITEM_TABLE.indexName}`,
    urgentQueue: queues.lanes.urgent.queue.queueArn,
    liveQueue: queues.lanes.live.queue.queueArn,
    bulkQueue: queues.lanes.bulk.queue.queueArn,
    dataServiceApiKey: secret('dataServiceApiKey'),
    hubSpotAccessToken: secret('hubSpotAccessToken'),
    hubSpotClientSecret: secret('hubSpotClientSecret'),
    installationSecret: secret('installationSecret'),
    alertWebhookUrl: secret('alertWebhookUrl'),
  };
}

function secretArn(stack: Stack, { stackName }: Installation, key: SecretKey): string {
  const name = secretName(secretPrefix(stackName), key);
  return stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });
}
