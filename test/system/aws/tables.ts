import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { TABLE_NAMES } from '#shared/store';
import { tableName } from '../../../infra/aws/names.ts';
import { STACK } from './stack.ts';

/** Creation time of each table, in milliseconds. A replaced table is younger; a deleted one has none. */
export async function tablesMade(): Promise<Readonly<Record<string, number | undefined>>> {
  const client = new DynamoDBClient();
  const made = async (TableName: string) => {
    try {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      return Table?.CreationDateTime?.getTime();
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };
  const names = TABLE_NAMES.map((table) => tableName(STACK, table));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await made(name)] as const)));
}
