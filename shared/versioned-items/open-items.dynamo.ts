import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, NewId } from '#shared/kernel';
import type { RetentionPolicy, StoredKind } from './kind.ts';
import { createDynamoItems } from './store.dynamo.ts';
import type { TableName } from './table.ts';

/** DynamoDB, with the names of the needed tables. */
export interface Storage<T extends TableName> {
  readonly dynamo: DynamoDBDocumentClient;
  /** The owner of the items. Every key begins with it. */
  readonly account: string;
  readonly policy: RetentionPolicy;
  readonly tables: Readonly<Record<T, string>>;
  readonly newId: NewId;
  /** For the backoff after a lost race. */
  readonly clock: Clock;
}

/** Opens the items of one kind. */
export function openItems<V, T extends TableName>(
  { dynamo: client, tables, newId, account, policy }: Storage<T>,
  kind: Omit<StoredKind<V, T>, 'key' | 'partition'>,
) {
  return createDynamoItems({ client, tableName: tables[kind.table], newId, account, policy, kind });
}
