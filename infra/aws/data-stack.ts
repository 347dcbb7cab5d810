import { CfnOutput, CfnParameter, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { ITEM_TABLE, TABLE_DEFINITIONS, TABLE_NAMES, type TableName } from '#shared/store';
import type { Configuration } from './configuration.ts';
import { dataFormat, FORMATS_OUTPUT, lastingSettings } from './deploy/installed.ts';
import {
  dataStackName,
  LASTING_OUTPUT,
  STACK_PARAMETERS,
  type StackParameter,
  stackParameterId,
  stackParameterName,
  tableName,
  WEBHOOK_PATH,
} from './names.ts';
import { pinned, stackWide } from './stack-parts.ts';

/**
 * Creates the lasting resources: the tables, the webhook's address with its access log, the time of installation, and
 * the settings that later deployments must keep. The compute stack finds these by fixed names, and this stack does not
 * depend on it. So the compute stack can be changed, removed and deployed again.
 */
export class DataStack extends Stack {
  constructor(scope: Construct, configuration: Configuration) {
    const { stackName } = configuration;
    super(scope, dataStackName(stackName), {
      stackName: dataStackName(stackName),
      ...stackWide(configuration),
      description: `${stackName}: what was paid for, its books, and the webhook's address.`,
      terminationProtection: true,
    });
    new Tables(this, configuration);
    const api = new Api(this, configuration);
    const parameters: Readonly<Record<StackParameter, string>> = {
      apiId: api.apiId,
      accessLog: api.accessLogName,
      webhookUrl: api.webhookUrl,
      installedAt: installedAt(this),
    };
    for (const key of STACK_PARAMETERS) {
      const id = `${stackParameterId(key)}Told`;
      const parameter = { parameterName: stackParameterName(stackName, key), stringValue: parameters[key] };
      pinned(new StringParameter(this, id, parameter), id);
    }
    new CfnOutput(this, 'WebhookUrl', { value: parameters.webhookUrl });
    publishInstallation(this, configuration);
  }
}

/**
 * Stores the settings and formats that the next deployment reads before it starts. `deploy` reads them from outputs.
 * They are also the value of a resource, because CloudFormation can treat a stack as unchanged if only its outputs
 * changed.
 */
function publishInstallation(stack: Stack, configuration: Configuration): void {
  const outputs = {
    [LASTING_OUTPUT]: JSON.stringify(lastingSettings(configuration)),
    [FORMATS_OUTPUT]: JSON.stringify(dataFormat()),
  };
  for (const [id, value] of Object.entries(outputs)) new CfnOutput(stack, id, { value });
  const parameterName = `/${configuration.stackName}/installation`;
  const parameter = { parameterName, stringValue: JSON.stringify(outputs) };
  pinned(new StringParameter(stack, 'InstallationTold', parameter), 'InstallationTold');
}

/**
 * Time of the installation, which must never change. Records created before it are not enriched. It is a parameter of
 * the stack: `deploy` sets it at the first deployment only, and CloudFormation keeps the value in later deployments
 * from any machine. A file could be lost, and a time taken at synthesis would change with every deployment.
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

/** On-demand billing, so that an idle installation costs nothing. */
const COMMON = { billing: Billing.onDemand() };
const INDEX: Pick<TablePropsV2, 'globalSecondaryIndexes'> = {
  globalSecondaryIndexes: [
    {
      indexName: ITEM_TABLE.indexName,
      partitionKey: { name: ITEM_TABLE.indexPartition, type: AttributeType.STRING },
      sortKey: { name: ITEM_TABLE.indexOrder, type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    },
  ],
};
/** Number of days within which a table can be restored to any second. This is DynamoDB's maximum. */
const RECOVERY_DAYS = 35;
const RECOVERY: Pick<TablePropsV2, 'pointInTimeRecoverySpecification'> = {
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: RECOVERY_DAYS },
};

/** The logical ids, which never change. */
const IDS: Readonly<Record<TableName, string>> = {
  ledger: 'Ledger',
  proof: 'Proof',
  state: 'State',
};

function propsOf(table: TableName): TablePropsV2 {
  const { isIndexed, expires, isRecoverable } = TABLE_DEFINITIONS[table];
  return {
    partitionKey: { name: ITEM_TABLE.partitionKey, type: AttributeType.STRING },
    ...(isIndexed && INDEX),
    ...(expires && { timeToLiveAttribute: ITEM_TABLE.timeToLive }),
    ...(isRecoverable && RECOVERY),
  };
}

/** Creates all tables. Neither a change nor a removal of the stack deletes a table. */
class Tables extends Construct {
  constructor(scope: Construct, { stackName, kmsKeyArn }: Pick<Configuration, 'stackName' | 'kmsKeyArn'>) {
    super(scope, 'Tables');
    // DynamoDB's own key is free, and enough for one account.
    const encryption =
      kmsKeyArn === undefined
        ? TableEncryptionV2.dynamoOwnedKey()
        : TableEncryptionV2.customerManagedKey(Key.fromKeyArn(this, 'Key', kmsKeyArn));
    for (const table of TABLE_NAMES) {
      const id = IDS[table];
      const made = new TableV2(this, id, {
        ...COMMON,
        encryption,
        ...propsOf(table),
        tableName: tableName(stackName, table),
        deletionProtection: true,
        // The table is also retained after a failed creation, because CloudFormation cannot delete a protected table.
        // `deploy` then removes it if it is empty.
        removalPolicy: RemovalPolicy.RETAIN,
      });
      pinned(made, id);
    }
  }
}

/**
 * The public address and its access log. The stage and the routes are created with the functions. The functions check
 * each sender's signature.
 */
class Api extends Construct {
  readonly apiId: string;
  readonly accessLogName: string;
  /** The address of the webhook route on the API's own domain. */
  readonly webhookUrl: string;

  constructor(scope: Construct, { logRetentionDays }: { logRetentionDays: RetentionDays }) {
    super(scope, 'Api');
    const description = 'Takes the webhooks of HubSpot.';
    const httpApi = pinned(new HttpApi(this, 'Http', { createDefaultStage: false, description }), 'Api');
    const logGroup = pinned(
      new LogGroup(this, 'AccessLogs', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      }),
      'AccessLogs',
    );
    this.apiId = httpApi.apiId;
    this.accessLogName = logGroup.logGroupName;
    this.webhookUrl = `${httpApi.apiEndpoint}${WEBHOOK_PATH}`;
  }
}
