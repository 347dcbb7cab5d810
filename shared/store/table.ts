/** Key, attribute and index names of a table of versioned items, shared with the stack that creates it. */
export const ITEM_TABLE = {
  partitionKey: 'pk',
  /** Random id of the write. */
  version: 'version',
  body: 'body',
  format: 'format',
  indexName: 'by-place',
  indexPartition: 'part',
  indexOrder: 'ord',
  /** Epoch seconds. DynamoDB deletes the item at this time or up to some days later. */
  timeToLive: 'expiresAtS',
} as const;

/** Returns the stored form of a key or a partition: the account, the kind, and what tells items of the kind apart. */
export function storedKey(account: string, { prefix }: { readonly prefix: string }, key: string): string {
  return `${account}#${prefix}#${key}`;
}

interface TableDefinition {
  /** The table has an index. */
  readonly isIndexed?: true;
  /** Items expire by themselves. */
  readonly expires?: true;
  /**
   * Set if the table can be restored to any second of the last weeks. Only for tables without personal data, because
   * backups of other tables would contain forgotten people.
   */
  readonly isRecoverable?: true;
}

const DEFINITIONS = {
  /** The ledger. */
  ledger: { isRecoverable: true },
  /** The suppression list and the disclosure records. Apart, so that a restored ledger does not set them back. */
  proof: { expires: true, isRecoverable: true },
  /** All else. */
  state: { isIndexed: true, expires: true },
} as const satisfies Readonly<Record<string, TableDefinition>>;

export type TableName = keyof typeof DEFINITIONS;

/** The tables of an installation. */
export const TABLE_DEFINITIONS: Readonly<Record<TableName, TableDefinition>> = DEFINITIONS;
export const TABLE_NAMES = Object.keys(DEFINITIONS) as readonly TableName[];
