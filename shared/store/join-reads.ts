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
    for (const group of groups) readGroup(store, group);
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

/** A failed request fails each read of its group. A caller tries again, so a busy store gets no more requests than that. */
function readGroup(store: Store, group: readonly Reader[]): void {
  const joined = store.getMany(group.flatMap(({ places }) => places));
  for (const { read } of group) read.resolve(joined);
}
