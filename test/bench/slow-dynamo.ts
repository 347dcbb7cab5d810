import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type DynamoDBDocumentClient, PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Clock, seededRandom } from '#shared/kernel';
import { createMemoryDynamo } from '../../infra/local/virtual/memory-dynamo.ts';

interface SentCommand {
  readonly input: {
    readonly TableName?: string;
    readonly Item?: object;
    readonly ConsistentRead?: boolean;
  };
}

/** Requests to one table, with the capacity units that DynamoDB would bill; without the index. */
export interface TableUse {
  reads: number;
  writes: number;
  readUnits: number;
  writeUnits: number;
  /** Writes whose condition failed because of a lost race. */
  lost: number;
  largestBytes: number;
}

const [WRITE_UNIT_BYTES, READ_UNIT_BYTES] = [1_024, 4_096];

/** DynamoDB in memory, 2 to 8 ms away in virtual time. It counts requests and units by table. */
export function createSlowDynamo() {
  const random = seededRandom(11);
  const memory = createMemoryDynamo(seededRandom(1), { pageItems: 1_000 });
  const tables = new Map<string, TableUse>();
  let clock: Pick<Clock, 'sleep'> | undefined;
  const useOf = (name: string) => {
    const unused = { reads: 0, writes: 0, readUnits: 0, writeUnits: 0, lost: 0, largestBytes: 0 };
    const known = tables.get(name) ?? unused;
    tables.set(name, known);
    return known;
  };
  const send = async (command: SentCommand) => {
    const { TableName = '', Item, ConsistentRead } = command.input;
    await clock?.sleep(2 + random() * 6);
    const use = useOf(TableName);
    if (Item) {
      const bytes = JSON.stringify(Item).length;
      use.writes += 1;
      use.writeUnits += Math.ceil(bytes / WRITE_UNIT_BYTES);
      use.largestBytes = Math.max(use.largestBytes, bytes);
    }
    try {
      const answer = unpacked((await memory.client.send(packed(command) as never)) as DynamoAnswer);
      if (Item) return answer;
      use.reads += 1;
      const units = Math.ceil(JSON.stringify(answer).length / READ_UNIT_BYTES);
      use.readUnits += ConsistentRead ? units : units / 2;
      return answer;
    } catch (error) {
      if (Item) use.lost += 1;
      throw error;
    }
  };
  return {
    dynamo: { ...memory, client: { ...memory.client, send } as unknown as DynamoDBDocumentClient },
    useClock: (used: Pick<Clock, 'sleep'>) => {
      clock = used;
    },
    /** Counts by table since the last call. */
    take: (): ReadonlyMap<string, TableUse> => {
      const taken = new Map(tables);
      tables.clear();
      return taken;
    },
  };
}

interface DynamoAnswer {
  readonly Item?: object;
  readonly Items?: readonly object[];
}

/** Keeps entries compressed, because they never change. As objects, a log of 100,000 records takes 3 GB. */
function packed(command: SentCommand): unknown {
  const { Item = {} } = command.input;
  if (!(command instanceof PutCommand) || !('seq' in Item)) return command;
  const { pk, seq, ...rest } = Item as Record<string, unknown>;
  const log = deflateRawSync(JSON.stringify(rest), { level: 1 }).toString('latin1');
  return new PutCommand({ ...(command.input as PutCommandInput), Item: { pk, seq, log } });
}

function unpacked(answer: DynamoAnswer): DynamoAnswer {
  const { Item, Items } = answer;
  return { ...answer, ...(Item && { Item: entryOf(Item) }), ...(Items && { Items: Items.map(entryOf) }) };
}

function entryOf(item: object): object {
  if (!('log' in item)) return item;
  const { log, ...key } = item;
  return { ...key, ...JSON.parse(inflateRawSync(Buffer.from(String(log), 'latin1')).toString()) };
}
