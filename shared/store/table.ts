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

/** Who owns an item: the buyer, who pays, or one HubSpot portal. */
export type Scope = 'buyer' | 'portal';
/** Names of the owners, without `#` and `/`. A portal has a name of ours, because its id is known after the first request only. */
export type Owners = Readonly<Record<Scope, string>>;
/** The owners in an installation with one portal. */
export const OWNERS: Owners = { buyer: 'default', portal: 'portal-1' };

/** Returns the stored form of a key or a partition: the owner, the kind, and what tells items of the kind apart. */
export function storedKey(
  owners: Owners,
  { prefix, scope }: { readonly prefix: string; readonly scope: Scope },
  key: string,
): string {
  return `${owners[scope]}#${prefix}#${key}`;
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
