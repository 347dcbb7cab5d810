import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, NewId } from '#shared/kernel';
import type { RetentionPolicy, StoredKind } from './kind.ts';
import { createDynamoItems } from './store.dynamo.ts';
import type { TableName } from './table.ts';

/** DynamoDB, and the names of those tables that are used. */
export interface Storage<T extends TableName> {
  readonly dynamo: DynamoDBDocumentClient;
  /** Whose items these are: every key begins with it. */
  readonly account: string;
  readonly policy: RetentionPolicy;
  readonly tables: Readonly<Record<T, string>>;
  readonly newId: NewId;
  /** A writer that loses a race for an item waits on it. */
  readonly clock: Clock;
}

/** The items of one kind. */
export function openItems<V, T extends TableName>(
  { dynamo: client, tables, newId, account, policy }: Storage<T>,
  kind: Omit<StoredKind<V, T>, 'key' | 'partition'>,
) {
  return createDynamoItems({ client, tableName: tables[kind.table], newId, account, policy, kind });
}
