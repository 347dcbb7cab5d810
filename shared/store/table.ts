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

/** Returns the stored form of a key or a partition: the account, then the key. */
export function inAccount(account: string, key: string): string {
  return `${account}#${key}`;
}

interface TableDefinition {
  /** End of the table's name, after the name of the installation. */
  readonly suffix: string;
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
  records: { suffix: 'records', isIndexed: true, expires: true },
  questions: { suffix: 'questions', isIndexed: true, expires: true },
  ledger: { suffix: 'ledger', isRecoverable: true },
  rateLimiter: { suffix: 'rate-limiter' },
  suppression: { suffix: 'suppression', expires: true, isRecoverable: true },
} as const satisfies Readonly<Record<string, TableDefinition>>;

export type TableName = keyof typeof DEFINITIONS;

/** The tables of an installation. */
export const TABLE_DEFINITIONS: Readonly<Record<TableName, TableDefinition>> = DEFINITIONS;
export const TABLE_NAMES = Object.keys(DEFINITIONS) as readonly TableName[];

type IndexedTable = {
  [T in TableName]: (typeof DEFINITIONS)[T] extends { readonly isIndexed: true } ? T : never;
}[TableName];
export const INDEXED_TABLES = TABLE_NAMES.filter(
  (name): name is IndexedTable => TABLE_DEFINITIONS[name].isIndexed === true,
);
