import { type ConsumedCapacity, DynamoDB } from '@aws-sdk/client-dynamodb';
import { systemClock as clock, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import type { Store } from '#shared/store';
import { createDynamoStore } from '#shared/store/adapters';
import { documentsOf, startDynamoEngine } from '../../harness/dynamo-engine.ts';

/** Requests to DynamoDB, and the units that it would have billed. */
export interface Tally {
  readonly reads: number;
  /** Puts and transactions, including those with a failed condition, because DynamoDB bills them too. */
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
  readonly store: Store;
  /** Counts since the last call. */
  tally(): Tally;
  close(): Promise<void>;
}

const NOTHING: Tally = { reads: 0, writes: 0, failedWrites: 0, readUnits: 0, writeUnits: 0, indexUnits: 0 };
const WRITE = /^(?:PutItem|UpdateItem|TransactWriteItems)Command$/;
const READ = /^(?:GetItem|BatchGetItem|Query)Command$/;
const POLICY = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };

/** A DynamoDB engine on this machine with the product's tables, and a client that counts its requests. */
export async function startCountedDynamo(): Promise<CountedDynamo> {
  const engine = await startDynamoEngine();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDB({ endpoint: engine.endpoint, region: 'eu-central-1', credentials });
  let tally = NOTHING;
  count(client, (seen) => {
    tally = added(tally, seen);
  });
  return {
    client,
    store: createDynamoStore({
      client: documentsOf(client),
      tables: engine.tables,
      policy: POLICY,
      newId,
      random,
      clock,
      storeClock: { offsetMs: () => 0 },
    }),
    tally: () => {
      const counted = tally;
      tally = NOTHING;
      return counted;
    },
    close: async () => {
      client.destroy();
      await engine.close();
    },
  };
}

/** Requests the consumed capacity of each request. A failed condition reports none, but costs at least one unit. */
function count(client: DynamoDB, see: (seen: Partial<Tally>) => void): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const isWrite = WRITE.test(commandName);
        if (!isWrite && !READ.test(commandName)) return next(args);
        try {
          const input = { ...args.input, ReturnConsumedCapacity: 'INDEXES' } as typeof args.input;
          const result = await next({ ...args, input });
          const { table, index } = unitsOf(result.output);
          see(
            isWrite
              ? { writes: 1, writeUnits: table, indexUnits: index }
              : { reads: 1, readUnits: table + index },
          );
          return result;
        } catch (error) {
          if (isWrite) see({ writes: 1, failedWrites: 1, writeUnits: 1 });
          throw error;
        }
      },
    { step: 'initialize', name: 'countCapacity' },
  );
}

function unitsOf(output: object): { readonly table: number; readonly index: number } {
  const { ConsumedCapacity: consumed = [] } = { ...output } as {
    ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[];
  };
  const tables = [consumed].flat();
  const all = sum(tables.map(({ CapacityUnits = 0 }) => CapacityUnits));
  const table = sum(tables.map(({ Table }) => Table?.CapacityUnits ?? 0));
  return { table, index: all - table };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function added(tally: Tally, seen: Partial<Tally>): Tally {
  const both = (name: keyof Tally) => tally[name] + (seen[name] ?? 0);
  return {
    reads: both('reads'),
    writes: both('writes'),
    failedWrites: both('failedWrites'),
    readUnits: both('readUnits'),
    writeUnits: both('writeUnits'),
    indexUnits: both('indexUnits'),
  };
}
