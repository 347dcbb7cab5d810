import { type KnownItems, MAX_ITEMS, type Place, type Store } from './transactions.ts';

interface Reader {
  readonly places: readonly Place<unknown>[];
  readonly read: PromiseWithResolvers<KnownItems>;
}

/** Turns of the event loop's microtasks. Parallel work often begins its reads some calls apart. */
const TURNS = 10;

/** Joins reads that are requested at the same time into one request. So a batch of records costs few requests. */
export function joinReads(store: Store): Store {
  let waiting: Reader[] = [];
  const send = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await undefined;
    const groups = groupsOf(waiting);
    waiting = [];
    for (const group of groups) void readGroup(store, group);
  };
  return {
    ...store,
    getMany: (places) => {
      const read = Promise.withResolvers<KnownItems>();
      if (waiting.push({ places, read }) === 1) void send();
      return read.promise;
    },
  };
}

function groupsOf(readers: readonly Reader[]): Reader[][] {
  const groups: Reader[][] = [];
  let size = 0;
  for (const reader of readers) {
    size += reader.places.length;
    const group = groups.at(-1);
    if (group && size <= MAX_ITEMS) group.push(reader);
    else {
      groups.push([reader]);
      size = reader.places.length;
    }
  }
  return groups;
}

/** If a joined read fails, each part is read alone, so that a damaged item fails only the reads that name it. */
async function readGroup(store: Store, group: readonly Reader[]): Promise<void> {
  const places = group.flatMap((reader) => reader.places);
  const joined = group.length > 1 ? await store.getMany(places).catch(() => undefined) : undefined;
  for (const { places: own, read } of group) read.resolve(joined ?? store.getMany(own));
}
