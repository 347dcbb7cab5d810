import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import type { Question } from '#shared/questions';
import type { CountedDynamo } from './counted-dynamo.ts';

const TABLE = 'idempotency';

type Ask = (question: Question) => Promise<unknown>;

/** The same call made idempotent with Powertools, over a table of the same DynamoDB. */
export async function idempotentAsker({ client }: CountedDynamo, ask: Ask): Promise<Ask> {
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  const persistenceStore = new DynamoDBPersistenceLayer({ tableName: TABLE, awsSdkV3Client: client });
  const config = new IdempotencyConfig({ expiresAfterSeconds: 86_400 });
  config.registerLambdaContext({ getRemainingTimeInMillis: () => 300_000 } as Context);
  const once = makeIdempotent((question: Record<string, unknown>) => ask(question as never), {
    persistenceStore,
    config,
  });
  return (question) => once({ ...question });
}
