import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { LEDGER_TABLE } from '../../shared/credit-ledger/table.ts';
import { ITEM_TABLE } from '../../shared/versioned-items/table.ts';

export const TABLES = {
  records: 'records',
  questions: 'questions',
  ledger: 'ledger',
  governor: 'governor',
} as const;

/** Creates the four tables where they are missing. */
export async function createTables(client: DynamoDBClient): Promise<void> {
  const definitions = [
    ledgerTable(TABLES.ledger),
    itemTable(TABLES.questions),
    itemTable(TABLES.governor),
    indexedTable(TABLES.records),
  ];
  for (const definition of definitions) {
    try {
      await client.send(new CreateTableCommand(definition));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
  }
}

function itemTable(TableName: string): CreateTableCommandInput {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: ITEM_TABLE.partitionKey, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: ITEM_TABLE.partitionKey, KeyType: 'HASH' }],
  };
}

function indexedTable(TableName: string): CreateTableCommandInput {
  const table = itemTable(TableName);
  return {
    ...table,
    AttributeDefinitions: [
      ...(table.AttributeDefinitions ?? []),
      { AttributeName: ITEM_TABLE.indexPartition, AttributeType: 'S' },
      { AttributeName: ITEM_TABLE.indexOrder, AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: ITEM_TABLE.indexName,
        KeySchema: [
          { AttributeName: ITEM_TABLE.indexPartition, KeyType: 'HASH' },
          { AttributeName: ITEM_TABLE.indexOrder, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  };
}

function ledgerTable(TableName: string): CreateTableCommandInput {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: LEDGER_TABLE.partitionKey, AttributeType: 'S' },
      { AttributeName: LEDGER_TABLE.sortKey, AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: LEDGER_TABLE.partitionKey, KeyType: 'HASH' },
      { AttributeName: LEDGER_TABLE.sortKey, KeyType: 'RANGE' },
    ],
  };
}
