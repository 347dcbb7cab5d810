import { CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import { CfnAlarm, CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { LANES } from '#shared/crm';
import { Alarms } from './alarms.ts';
import { arnsOf } from './arns.ts';
import type { Configuration } from './configuration.ts';
import { SpendDashboard } from './dashboard.ts';
import { EventSources } from './event-sources.ts';
import { Functions } from './functions.ts';
import { LANE_IDS, type StackParameter, secretPrefix, stackParameterName, usedTable } from './names.ts';
import { pinned } from './pinned.ts';
import { Queues } from './queues.ts';
import { Routes } from './routes.ts';
import { Schedules } from './schedules.ts';
import { stackWide } from './stack-wide.ts';

/** Everything that can be created again: functions, queues, schedules, alarms, and the route to the receiver. */
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

/** @param scope the stack, or a construct in it: neither the data stack nor what has a name notices a difference. */
export function createCompute(scope: Construct, configuration: Configuration): void {
  const stack = Stack.of(scope);
  const publicUrl = configuration.publicUrl ?? told(stack, configuration, 'webhookUrl');
  const installedAt = told(stack, configuration, 'installedAt');
  const queues = new Queues(scope);
  const arns = arnsOf(stack, { ...configuration, queues });
  const functions = new Functions(scope, { configuration, queues, publicUrl, installedAt, arns });
  const { live } = functions;
  const apiId = told(stack, configuration, 'apiId');
  new Routes(scope, {
    apiId,
    accessLogName: told(stack, configuration, 'accessLog'),
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
  // Its subscribers need not subscribe again.
  pinned(alarms.topic, 'AlarmsTopic');
  pinned(alarms.topic.node.findChild('Policy'), 'AlarmsTopicPolicy');
  const dashboard = new SpendDashboard(scope, { service, functions, queues, alarms });
  pinNamed(scope, service);
  createOutputs(stack, { configuration, publicUrl, installedAt, queues, functions, alarms, dashboard });
  // The commands read it here: an output holds too little.
  stack.templateOptions.metadata = { Policy: configuration.policyJson };
}

/** What the data stack tells. CloudFormation looks it up at each deployment, and neither stack holds the other. */
function told(stack: Stack, { stackName }: Configuration, key: StackParameter): string {
  const id = `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;
  const type = 'AWS::SSM::Parameter::Value<String>';
  return new CfnParameter(stack, id, { type, default: stackParameterName(stackName, key) }).valueAsString;
}

/** A second alarm or dashboard of a name is refused, and CloudFormation makes the new one first. */
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

/** What the operator's commands and the tests need to find the deployed parts. The names are a promise. */
function createOutputs(stack: Stack, services: OutputParts): void {
  const { configuration, queues, functions } = services;
  const { stackName } = configuration;
  const { byName } = functions;
  const outputs: Readonly<Record<string, string>> = {
    WebhookUrl: services.publicUrl,
    InstalledAt: services.installedAt,
    RecordsTable: usedTable(configuration, 'records'),
    QuestionsTable: usedTable(configuration, 'questions'),
    LedgerTable: usedTable(configuration, 'ledger'),
    RateLimiterTable: usedTable(configuration, 'rateLimiter'),
    SuppressionTable: usedTable(configuration, 'suppression'),
    ...Object.fromEntries(
      LANES.flatMap((lane) => [
        [`${LANE_IDS[lane]}QueueUrl`, queues.lanes[lane].queue.queueUrl],
        [`${LANE_IDS[lane]}DeadLettersUrl`, queues.lanes[lane].deadLetters.queueUrl],
      ]),
    ),
    SecretSource: configuration.secretSource,
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
