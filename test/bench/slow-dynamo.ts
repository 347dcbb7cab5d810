import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#inside/kernel/clock.ts';
import { seededRandom } from '#inside/kernel/random.ts';
import { createMemoryDynamo } from '../../infra/local/virtual/memory-dynamo.ts';

interface SentCommand {
  readonly input: {
    readonly TableName?: string;
    readonly Item?: object;
    readonly ConsistentRead?: boolean;
  };
}

/** Requests of one table, with the capacity units that DynamoDB would bill. */
export interface TableUse {
  reads: number;
  writes: number;
  failedWrites: number;
  readUnits: number;
  writeUnits: number;
  /** Of the largest item that was written, in bytes. */
  largestBytes: number;
}

const [WRITE_BYTES, READ_BYTES] = [1_024, 4_096];

/** DynamoDB in memory, 2 to 8 ms away in virtual time, which counts requests and units by table. */
export function createSlowDynamo() {
  const random = seededRandom(11);
  const memory = createMemoryDynamo(seededRandom(1), { pageItems: 1_000 });
  const tables = new Map<string, TableUse>();
  let clock: Pick<Clock, 'sleep'> | undefined;
  const useOf = (name: string) => {
    const known = tables.get(name) ?? {
      ...{ reads: 0, writes: 0, failedWrites: 0, readUnits: 0, writeUnits: 0, largestBytes: 0 },
    };
    tables.set(name, known);
    return known;
  };
  const send = async (command: SentCommand) => {
    const { TableName = '', Item, ConsistentRead } = command.input;
    const L=(globalThis as any).labels; if(L){const i:any=command.input; const k=command.constructor.name+' '+TableName+' '+String((i.Item??i.Key)?.pk??i.ExpressionAttributeValues?.[':p']??i.ExpressionAttributeValues?.[':pk']).slice(0,40).replace(/\d+/g,'N'); L.set(k,(L.get(k)??0)+1)}
    const use = useOf(TableName);
    await clock?.sleep(2 + random() * 6);
    if (Item) {
      const bytes = JSON.stringify(Item).length;
      use.writes += 1;
      use.writeUnits += Math.ceil(bytes / WRITE_BYTES);
      use.largestBytes = Math.max(use.largestBytes, bytes);
    }
    try {
      const answer = await memory.client.send(command as never);
      if (!Item) {
        use.reads += 1;
        const bytes = JSON.stringify(answer).length;
        use.readUnits += Math.ceil(bytes / READ_BYTES) * (ConsistentRead ? 1 : 0.5);
      }
      return answer;
    } catch (error) {
      if (Item) use.failedWrites += 1;
      throw error;
    }
  };
  return {
    dynamo: { ...memory, client: { ...memory.client, send } as unknown as DynamoDBDocumentClient },
    useClock: (used: Pick<Clock, 'sleep'>) => {
      clock = used;
    },
    /** Since the last call of it. */
    take: (): ReadonlyMap<string, TableUse> => {
      const taken = new Map(tables);
      tables.clear();
      return taken;
    },
  };
}
