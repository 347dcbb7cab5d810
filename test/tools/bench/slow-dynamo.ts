import { type Clock, seededRandom } from '#shared/kernel';
import type { Store, TableName } from '#shared/store';
import { openMemoryStore } from '../../harness/memory-items.ts';
import { type StoreRequest, watchedStore } from '../../harness/watched-store.ts';

/** Requests to one table, with the capacity units that DynamoDB would bill; without the index's writes. */
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
/** An item in a transaction is written twice. */
const IN_TRANSACTION = 2;
/** An index read is eventually consistent. */
const EVENTUALLY = 0.5;

type Answer<M extends 'getMany' | 'index' | 'transact'> = Awaited<ReturnType<Store[M]>>;

/** The store in memory, 2 to 8 ms away in virtual time. It counts requests and units by table. */
export function createSlowDynamo() {
  const random = seededRandom(11);
  const tables = new Map<TableName, TableUse>();
  let clock: Pick<Clock, 'sleep'> | undefined;
  const useOf = (name: TableName) => {
    const unused = { reads: 0, writes: 0, readUnits: 0, writeUnits: 0, lost: 0, largestBytes: 0 };
    const known = tables.get(name) ?? unused;
    tables.set(name, known);
    return known;
  };
  const count = (request: StoreRequest, answer: unknown): void => {
    if (request.kind === 'transact') countWrites(request, answer as Answer<'transact'>);
    else if (request.kind === 'getMany') countReads(request, answer as Answer<'getMany'>);
    else {
      const use = useOf(request.of.table);
      use.reads += 1;
      const keys = request.kind === 'index' ? (answer as Answer<'index'>).keys : [];
      use.readUnits += units(keys, READ_UNIT_BYTES) * EVENTUALLY;
    }
  };
  const countReads = ({ places }: StoreRequest & { kind: 'getMany' }, answer: Answer<'getMany'>): void => {
    const [first] = places;
    if (first) useOf(first.kind.table).reads += 1;
    for (const place of places)
      useOf(place.kind.table).readUnits += units(answer.get(place)?.value ?? '', READ_UNIT_BYTES);
  };
  const countWrites = (
    { writes }: StoreRequest & { kind: 'transact' },
    { kind }: Answer<'transact'>,
  ): void => {
    const [first] = writes;
    if (!first) return;
    const request = useOf(first.place.kind.table);
    request.writes += 1;
    if (kind === 'conflict') request.lost += 1;
    for (const write of writes) {
      const use = useOf(write.place.kind.table);
      const value = write.kind === 'put' ? write.value : '';
      use.writeUnits += units(value, WRITE_UNIT_BYTES) * (writes.length > 1 ? IN_TRANSACTION : 1);
      use.largestBytes = Math.max(use.largestBytes, JSON.stringify(value).length);
    }
  };
  const store = watchedStore(openMemoryStore(), async (request, send) => {
    await clock?.sleep(2 + random() * 6);
    const answer = await send();
    count(request, answer);
    return answer;
  });
  return {
    store,
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

function units(value: unknown, bytes: number): number {
  return Math.ceil(JSON.stringify(value).length / bytes);
}
