import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { LEDGER_TABLE } from '#shared/credit-ledger';
import type { Clock } from '#shared/kernel';
import { ITEM_TABLE, TABLE_DEFINITIONS, TABLE_NAMES } from '#shared/versioned-items';

export const TABLES = {
  records: 'records',
  questions: 'questions',
  ledger: 'ledger',
  rateLimiter: 'rateLimiter',
  suppression: 'suppression',
} as const;

/** Creates the missing tables, and waits until they accept items. */
export async function createTables(client: DynamoDBClient, clock: Clock): Promise<void> {
  const definitions = TABLE_NAMES.map((table) => {
    if (table === 'ledger') return ledgerTable(TABLES[table]);
    return TABLE_DEFINITIONS[table].isIndexed ? indexedTable(TABLES[table]) : itemTable(TABLES[table]);
  });
  for (const definition of definitions) {
    try {
      await client.send(new CreateTableCommand(definition));
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
  }
  for (const definition of definitions) await finishCreation({ client, clock }, definition);
}

/** Time to wait for a new table. dynalite needs far less. */
const CREATION_MS = 500;

/**
 * Completes a table whose creation was interrupted by a kill. dynalite creates a table in two steps. After the first
 * step, the table is empty, and any change of its throughput makes it active.
 */
async function finishCreation(
  { client, clock }: { readonly client: DynamoDBClient; readonly clock: Clock },
  { TableName, GlobalSecondaryIndexes = [] }: CreateTableCommandInput,
): Promise<void> {
  const isCreating = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus === 'CREATING';
  };
  const indexes = GlobalSecondaryIndexes.map(({ IndexName }) => ({ Update: { IndexName, ...ANY_RATE } }));
  const change = new UpdateTableCommand({
    TableName,
    BillingMode: 'PROVISIONED',
    ...ANY_RATE,
    ...(indexes.length > 0 && { GlobalSecondaryIndexUpdates: indexes }),
  });
  const stuckAt = clock.monotonic() + CREATION_MS;
  while (await isCreating()) {
    if (clock.monotonic() > stuckAt) await client.send(change);
    await clock.sleep(10);
  }
}

const ANY_RATE = { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } };

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
