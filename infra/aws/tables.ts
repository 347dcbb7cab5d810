import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { ITEM_TABLE, TABLE_DEFINITIONS, TABLE_NAMES, type TableName } from '#shared/store';
import type { Configuration } from './configuration.ts';
import { tableName } from './names.ts';
import { pinned } from './pinned.ts';

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
export class Tables extends Construct {
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
