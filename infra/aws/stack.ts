import { CfnOutput, CfnParameter, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import type { Configuration } from './configuration.ts';
import { SpendDashboard } from './dashboard.ts';
import { lastingSettings } from './deploy/lasting-settings.ts';
import { EventSources } from './event-sources.ts';
import { Functions } from './functions.ts';
import { LANE_IDS, LANES, LASTING_OUTPUT } from './names.ts';
import { type ResourceName, SECRET_ACTIONS } from './permissions.ts';
import { Queues } from './queues.ts';
import { Schedules } from './schedules.ts';
import { InstallationSecret } from './secret.ts';
import { Tables } from './tables.ts';

/** The whole system. */
export class EnrichmentStack extends Stack {
  constructor(scope: Construct, configuration: Configuration) {
    super(scope, configuration.stackName, {
      stackName: configuration.stackName,
      description: 'Completes HubSpot contacts and companies from a data service, and books every credit.',
    });
    const tables = new Tables(this, configuration);
    const queues = new Queues(this);
    const secret = new InstallationSecret(this, configuration);
    const api = new Api(this, configuration);
    const publicUrl = configuration.publicUrl ?? api.webhookUrl;
    const functions = new Functions(this, {
      configuration,
      tables,
      queues,
      secretId: secret.secretId,
      publicUrl,
      installedAt: installedAt(this),
      arns: arnsOf({ tables, queues, secret }),
      secretAction: SECRET_ACTIONS[configuration.secretSource],
    });
    const { byName } = functions;
    api.routeWebhooksTo(byName['receive-webhook']);
    new EventSources(this, { worker: byName['enrich-records'], queues, configuration });
    new Schedules(this, {
      ...configuration,
      reconcile: byName.reconcile,
      refreshStale: byName['refresh-stale'],
    });
    const service = configuration.stackName;
    const alarms = new Alarms(this, { service, functions, queues, email: configuration.alarmEmail });
    const dashboard = new SpendDashboard(this, { service, functions, queues, alarms });
    createOutputs(this, {
      configuration,
      publicUrl,
      tables,
      queues,
      secret,
      functions,
      alarms,
      dashboard,
      api,
    });
  }
}

/**
 * Records created before this moment are left alone, so it must never change while the stack lives. It is a
 * parameter of the stack, because CloudFormation keeps its value with the stack itself: whoever deploys next,
 * from whatever machine, gives nothing and keeps it. A value in a file would be lost with the file, and a time
 * read at synthesis would move with every deployment. `deploy` gives it once, at the first.
 */
function installedAt(stack: Stack): string {
  const parameter = new CfnParameter(stack, 'InstalledAt', {
    type: 'String',
    allowedPattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
    constraintDescription: 'must be a time such as 2026-11-21T09:00:00Z',
    description: 'Records created before this are left alone. Set by the first deployment, then kept.',
  });
  return parameter.valueAsString;
}

function arnsOf(services: {
  tables: Tables;
  queues: Queues;
  secret: InstallationSecret;
}): Readonly<Record<ResourceName, string>> {
  const { tables, queues, secret } = services;
  return {
    records: tables.records.tableArn,
    recordsIndex: tables.recordsIndexArn,
    questions: tables.questions.tableArn,
    ledger: tables.ledger.tableArn,
    rateLimiter: tables.rateLimiter.tableArn,
    urgentQueue: queues.lanes.urgent.queue.queueArn,
    liveQueue: queues.lanes.live.queue.queueArn,
    bulkQueue: queues.lanes.bulk.queue.queueArn,
    secret: secret.arn,
  };
}

interface OutputParts {
  readonly configuration: Configuration;
  readonly publicUrl: string;
  readonly tables: Tables;
  readonly queues: Queues;
  readonly secret: InstallationSecret;
  readonly functions: Functions;
  readonly alarms: Alarms;
  readonly dashboard: SpendDashboard;
  readonly api: Api;
}

/** What the operator's commands and the tests need to find the deployed parts. The names are a promise. */
function createOutputs(stack: Stack, services: OutputParts): void {
  const { configuration, tables, queues, functions } = services;
  const { byName } = functions;
  const outputs: Readonly<Record<string, string>> = {
    WebhookUrl: services.publicUrl,
    ApiId: services.api.httpApi.apiId,
    RecordsTable: tables.records.tableName,
    QuestionsTable: tables.questions.tableName,
    LedgerTable: tables.ledger.tableName,
    RateLimiterTable: tables.rateLimiter.tableName,
    ...Object.fromEntries(
      LANES.flatMap((lane) => [
        [`${LANE_IDS[lane]}QueueUrl`, queues.lanes[lane].queue.queueUrl],
        [`${LANE_IDS[lane]}DeadLettersUrl`, queues.lanes[lane].deadLetters.queueUrl],
      ]),
    ),
    SecretSource: configuration.secretSource,
    SecretId: services.secret.secretId,
    DataServiceBaseUrl: configuration.dataServiceBaseUrl,
    ...(configuration.hubSpotBaseUrl !== undefined && { HubSpotBaseUrl: configuration.hubSpotBaseUrl }),
    ...(configuration.hubSpotAppId !== undefined && { HubSpotAppId: configuration.hubSpotAppId }),
    ...(configuration.hubSpotPortalId !== undefined && { HubSpotPortalId: configuration.hubSpotPortalId }),
    [LASTING_OUTPUT]: JSON.stringify(lastingSettings(configuration)),
    Policy: configuration.policyJson,
    ReceiveWebhookFunction: byName['receive-webhook'].functionName,
    EnrichRecordsFunction: byName['enrich-records'].functionName,
    RefreshStaleFunction: byName['refresh-stale'].functionName,
    ReconcileFunction: byName.reconcile.functionName,
    ReportSpendFunction: byName['report-spend'].functionName,
    AlarmTopic: services.alarms.topic.topicArn,
    DashboardName: services.dashboard.name,
  };
  for (const [key, value] of Object.entries(outputs)) new CfnOutput(stack, key, { value });
}
