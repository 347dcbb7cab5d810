import { DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { TABLE_NAMES } from '#inside/composition/names.ts';
import { tableName } from '../../infra/aws/names.ts';
import { STACK } from './stack.ts';

/** When each of the four tables was made, milliseconds; a replaced one is younger, and of one that is gone there is none. */
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
