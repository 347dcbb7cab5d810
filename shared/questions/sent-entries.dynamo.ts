import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { inAccount, ITEM_TABLE as T } from '#shared/versioned-items';
import { questionItemSchema } from './schemas.ts';

/**
 * Reads the ledger entry of each question's last attempt, as a hash by entry number. The ledger must still hold these
 * entries. Reads the whole table of questions, so only a check that a person starts uses this.
 */
export async function readSentEntries(options: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly account: string;
}): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>();
  const pages = paginateScan(
    { client: options.client },
    {
      TableName: options.tableName,
      ConsistentRead: true,
      FilterExpression: 'begins_with(#key, :account) AND attribute_exists(#body.#attempt)',
      ProjectionExpression: '#body.#attempt',
      ExpressionAttributeNames: { '#key': T.partitionKey, '#body': T.body, '#attempt': 'attempt' },
      ExpressionAttributeValues: { ':account': inAccount(options.account, '') },
    },
  );
  const attempts = questionItemSchema.pick({ attempt: true });
  for await (const { Items = [] } of pages)
    for (const item of Items) {
      const { entry } = attempts.parse(item[T.body]).attempt ?? {};
      if (entry) hashes.set(entry.seq, entry.hash);
    }
  return hashes;
}
