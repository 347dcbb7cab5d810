import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, NewId } from '#shared/kernel';
import type { TableName } from './names.ts';

/** DynamoDB, and the names of those tables that are used. */
export interface Storage<T extends TableName> {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<T, string>>;
  readonly newId: NewId;
  /** Whoever loses a race for an item waits on it. */
  readonly clock: Clock;
}

/** What the versioned items of one kind need to be read and written. */
export function stored<V, T extends TableName>(
  { dynamo: client, tables, newId }: Storage<T>,
  { table, schema }: { table: T; schema: { parse(value: unknown): V } },
) {
  return { client, tableName: tables[table], newId, parse: schema.parse };
}
