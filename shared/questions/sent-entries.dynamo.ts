import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { ITEM_TABLE as T } from '#shared/versioned-items';
import { questionItemSchema } from './schemas.ts';

/**
 * The ledger's entries under which the questions were last sent, by their numbers: what the ledger must still hold.
 * Reads the whole table of questions, for a person who wants proof.
 */
export async function readSentEntries(options: {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}): Promise<ReadonlyMap<number, string>> {
  const hashes = new Map<number, string>();
  const pages = paginateScan(
    { client: options.client },
    {
      TableName: options.tableName,
      ConsistentRead: true,
      FilterExpression: 'attribute_exists(#body.#attempt)',
      ProjectionExpression: '#body.#attempt',
      ExpressionAttributeNames: { '#body': T.body, '#attempt': 'attempt' },
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
