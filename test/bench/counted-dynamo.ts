import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import type { Clock } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { ITEM_TABLE } from '#shared/versioned-items';
import { createTables } from '../../infra/local/tables.ts';

/** Requests to DynamoDB, and the units that it would have billed. */
export interface Tally {
  readonly reads: number;
  /** Puts and updates, including those with a failed condition, because DynamoDB bills them too. */
  readonly writes: number;
  readonly failedWrites: number;
  readonly readUnits: number;
  /** Units of the table itself. */
  readonly writeUnits: number;
  /** Units of the index of the records. */
  readonly indexUnits: number;
}

export interface CountedDynamo {
  readonly client: DynamoDB;
  readonly documents: DynamoDBDocumentClient;
  /** Counts since the last call. */
  tally(): Tally;
  close(): Promise<void>;
}

const NOTHING: Tally = { reads: 0, writes: 0, failedWrites: 0, readUnits: 0, writeUnits: 0, indexUnits: 0 };
const WRITE = /^(?:PutItem|UpdateItem)Command$/;
const READ = /^(?:GetItem|Query)Command$/;

/**
 * The embedded DynamoDB with the product's tables, and a client that counts its requests.
 * @param clock the store's own time. A worker whose clock differs too much spends nothing.
 */
export async function startCountedDynamo(clock: Pick<Clock, 'now'> = systemClock): Promise<CountedDynamo> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.prependListener('request', (_, response) => {
    response.setHeader('date', new Date(clock.now()).toUTCString());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDB({ endpoint: `http://127.0.0.1:${port}`, region: 'eu-central-1', credentials });
  await createTables(client, systemClock);
  let tally = NOTHING;
  count(client, (seen) => {
    tally = added(tally, seen);
  });
  return {
    client,
    documents: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tally: () => {
      const counted = tally;
      tally = NOTHING;
      return counted;
    },
    close: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Requests the consumed capacity of each request. A failed condition reports none, but costs at least one unit. */
function count(client: DynamoDB, see: (seen: Partial<Tally>) => void): void {
  const writesToIndex = createIndexWatch();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const isWrite = WRITE.test(commandName);
        if (!isWrite && !READ.test(commandName)) return next(args);
        try {
          const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as typeof args.input;
          const result = await next({ ...args, input });
          const units = unitsOf(result.output);
          const indexUnits = isWrite ? units * writesToIndex(args.input) : 0;
          see(isWrite ? { writes: 1, writeUnits: units, indexUnits } : { reads: 1, readUnits: units });
          return result;
        } catch (error) {
          if (isWrite) see({ writes: 1, failedWrites: 1, writeUnits: 1 });
          throw error;
        }
      },
    { step: 'initialize', name: 'countCapacity' },
  );
}

/**
 * Estimates the index writes, because the embedded DynamoDB does not count them. DynamoDB bills one write of the item's
 * size if the item stays at its place or is added, and two if it moves ("Global secondary indexes", storage and
 * throughput).
 */
function createIndexWatch(): (input: object) => number {
  const places = new Map<string, string>();
  return (input) => {
    const { TableName, Item = {} } = input as { TableName?: string; Item?: Record<string, unknown> };
    const key = `${TableName} ${JSON.stringify(Item[ITEM_TABLE.partitionKey])}`;
    const before = places.get(key);
    const partition = Item[ITEM_TABLE.indexPartition];
    const place = partition ? JSON.stringify([partition, Item[ITEM_TABLE.indexOrder]]) : undefined;
    if (place !== undefined) places.set(key, place);
    else places.delete(key);
    if (place === undefined) return before === undefined ? 0 : 1;
    return before === undefined || before === place ? 1 : 2;
  };
}

function unitsOf(output: object): number {
  const { ConsumedCapacity: consumed } = { ...output } as { ConsumedCapacity?: { CapacityUnits?: number } };
  return consumed?.CapacityUnits ?? 0;
}

function added(tally: Tally, seen: Partial<Tally>): Tally {
  const sum = (name: keyof Tally) => tally[name] + (seen[name] ?? 0);
  return {
    reads: sum('reads'),
    writes: sum('writes'),
    failedWrites: sum('failedWrites'),
    readUnits: sum('readUnits'),
    writeUnits: sum('writeUnits'),
    indexUnits: sum('indexUnits'),
  };
}
