import { CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { LEDGER_TABLE } from '#shared/credit-ledger/table.ts';
import { ITEM_TABLE } from '#shared/versioned-items/table.ts';
import { KEPT_LOGICAL_IDS, keptName, RECOVERY_DAYS } from './names.ts';
import type { Kept } from './schemas.ts';

/** On demand: nothing to pay while nothing happens. DynamoDB's own key: free, and enough for one account. */
const COMMON = { billing: Billing.onDemand(), encryption: TableEncryptionV2.dynamoOwnedKey() };
const ITEM_KEY = { name: ITEM_TABLE.partitionKey, type: AttributeType.STRING };

/** A table of the stack or one that it has adopted. */
interface TableName {
  readonly tableName: string;
  readonly tableArn: string;
}

/** The four tables; the two that hold what was paid for outlive the stack. */
export class Tables extends Construct {
  readonly records: TableName;
  readonly questions: TableName;
  readonly ledger: TableName;
  readonly rateLimiter: TableName;
  readonly recordsIndexArn: string;

  constructor(scope: Construct, settings: { readonly stackName: string; readonly adopt: readonly Kept[] }) {
    super(scope, 'Tables');
    this.records = recordsTable(this);
    this.recordsIndexArn = `${this.records.tableArn}/index/${ITEM_TABLE.indexName}`;
    this.rateLimiter = new TableV2(this, 'RateLimiter', {
      ...COMMON,
      partitionKey: ITEM_KEY,
      // Rates, cursors and sums: all of it is learned or counted again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Open doubts and paid answers: without them the books could not be closed, and all would be paid again.
    this.questions = keptTable(this, 'questions', settings, {
      partitionKey: ITEM_KEY,
      timeToLiveAttribute: ITEM_TABLE.timeToLive,
    });
    this.ledger = keptTable(this, 'ledger', settings, {
      partitionKey: { name: LEDGER_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: LEDGER_TABLE.sortKey, type: AttributeType.NUMBER },
      // The bill: restorable to any second of the last weeks. No personal data ever enters it.
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: RECOVERY_DAYS,
      },
    });
  }
}

function recordsTable(scope: Construct): TableName {
  return new TableV2(scope, 'Records', {
    ...COMMON,
    partitionKey: ITEM_KEY,
    globalSecondaryIndexes: [
      {
        indexName: ITEM_TABLE.indexName,
        partitionKey: { name: ITEM_TABLE.indexPartition, type: AttributeType.STRING },
        sortKey: { name: ITEM_TABLE.indexOrder, type: AttributeType.NUMBER },
        projectionType: ProjectionType.ALL,
      },
    ],
    timeToLiveAttribute: ITEM_TABLE.timeToLive,
    // What is known of CRM records goes with the system that kept it; HubSpot has the records themselves.
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/**
 * A table under a fixed name that CloudFormation never deletes. After `destroy` it stands alone; a stack that is
 * told to adopt it uses it by its name; `deploy` sees to expiry, recovery and protection of what is adopted.
 */
function keptTable(
  scope: Construct,
  kept: 'ledger' | 'questions',
  settings: { readonly stackName: string; readonly adopt: readonly Kept[] },
  props: TablePropsV2,
): TableName {
  const id = KEPT_LOGICAL_IDS[kept];
  const tableName = keptName(settings.stackName, kept);
  if (settings.adopt.includes(kept)) return TableV2.fromTableName(scope, id, tableName);
  const removalPolicy = RemovalPolicy.RETAIN;
  const table = new TableV2(scope, id, {
    ...COMMON,
    ...props,
    tableName,
    removalPolicy,
    deletionProtection: true,
  });
  const resource = table.node.defaultChild;
  if (CfnResource.isCfnResource(resource)) resource.overrideLogicalId(id);
  return table;
}
