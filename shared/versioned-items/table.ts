/** Key, attribute and index names of a table of versioned items, shared with the stack that creates it. */
export const ITEM_TABLE = {
  partitionKey: 'pk',
  version: 'version',
  writeId: 'writeId',
  body: 'body',
  format: 'format',
  indexName: 'by-place',
  indexPartition: 'indexPartition',
  indexOrder: 'indexOrder',
  /** Epoch seconds; DynamoDB deletes some days after it. */
  timeToLive: 'expiresAtS',
} as const;

/** A key or a partition as it is stored: it begins with the account, and ends as its kind made it. */
export function inAccount(account: string, key: string): string {
  return `${account}#${key}`;
}

interface TableDefinition {
  /** What the table's name ends with, after the name of the installation. */
  readonly suffix: string;
  /** Items are listed by their place. */
  readonly isIndexed?: true;
  /** Items go by themselves once they are of no more use. */
  readonly expires?: true;
  /**
   * Can be restored to any second of the last weeks. Only where nothing of a person is stored: a copy of the others
   * would keep forgotten people.
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
