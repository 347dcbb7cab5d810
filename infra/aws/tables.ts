import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { TABLE_NAMES, type TableName } from '#shared/composition';
import { LEDGER_TABLE } from '#shared/credit-ledger';
import { ITEM_TABLE } from '#shared/versioned-items';
import { tableName } from './names.ts';
import { pinned } from './pinned.ts';

/** On demand: nothing to pay while nothing happens. DynamoDB's own key: free, and enough for one account. */
const COMMON = { billing: Billing.onDemand(), encryption: TableEncryptionV2.dynamoOwnedKey() };
const ITEM_KEY = { partitionKey: { name: ITEM_TABLE.partitionKey, type: AttributeType.STRING } };
const INDEXED: TablePropsV2 = {
  ...ITEM_KEY,
  globalSecondaryIndexes: [
    {
      indexName: ITEM_TABLE.indexName,
      partitionKey: { name: ITEM_TABLE.indexPartition, type: AttributeType.STRING },
      sortKey: { name: ITEM_TABLE.indexOrder, type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    },
  ],
  timeToLiveAttribute: ITEM_TABLE.timeToLive,
};
/** Days for which the bill can be restored to any second: the most that DynamoDB has. */
const RECOVERY_DAYS = 35;

const DEFINITIONS: Readonly<Record<TableName, { readonly id: string; readonly props: TablePropsV2 }>> = {
  records: { id: 'Records', props: INDEXED },
  // Only a question with a booked doubt stands in its index.
  questions: { id: 'Questions', props: INDEXED },
  ledger: {
    id: 'Ledger',
    props: {
      partitionKey: { name: LEDGER_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: LEDGER_TABLE.sortKey, type: AttributeType.NUMBER },
      // The bill, and it alone: no personal data ever enters it, and copies of the others would outlive a forgetting.
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: RECOVERY_DAYS,
      },
    },
  },
  rateLimiter: { id: 'RateLimiter', props: ITEM_KEY },
};

/** The four tables. Neither a change of the stack nor its removal deletes one. */
export class Tables extends Construct {
  constructor(scope: Construct, stackName: string) {
    super(scope, 'Tables');
    for (const table of TABLE_NAMES) {
      const { id, props } = DEFINITIONS[table];
      const made = new TableV2(this, id, {
        ...COMMON,
        ...props,
        tableName: tableName(stackName, table),
        deletionProtection: true,
        removalPolicy: RemovalPolicy.RETAIN,
      });
      pinned(made, id);
    }
  }
}
