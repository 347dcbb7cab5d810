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
