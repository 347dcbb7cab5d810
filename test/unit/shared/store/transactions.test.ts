import { describe, expect, it } from 'vitest';
import { systemClock as clock, systemIds as newId } from '#shared/kernel/adapters';
import { type ItemKey, joinReads, openItems, type Store } from '#shared/store';
import { createTogether } from '#shared/store/adapters';
import { openMemoryStore, plainItems, putRaw } from '../../../harness/memory-items.ts';
import { watchedStore } from '../../../harness/watched-store.ts';

/** Counters in one store, and two processes with works of their own. */
function opened() {
  const memory = openMemoryStore();
  const sizes: number[] = [];
  let beforeCommit: () => Promise<void> = async () => undefined;
  const watched: Store = {
    ...memory,
    transact: async (writes, version) => {
      await beforeCommit();
      sizes.push(writes.length);
      return memory.transact(writes, version);
    },
  };
  const process = (store: Store) => {
    const { together, ...own } = createTogether(store, { newId, clock, random: () => 0 });
    const items = plainItems<{ readonly count: number }>(own);
    const add = async (key: string) => {
      const known = await items.read(key);
      const value = { count: (known?.value.count ?? 0) + 1 };
      await items.write({ key, value, expectedVersion: known?.version });
      return value.count;
    };
    return { together, items, add };
  };
  const countOf = async (key: string) =>
    (await plainItems<{ readonly count: number }>(memory).read(key))?.value.count;
  return {
    process: () => process(watched),
    rival: process(memory),
    sizes,
    countOf,
    onCommit: (work: () => Promise<void>) => {
      beforeCommit = work;
    },
  };
}

describe('work that is done together', () => {
  it('writes all its items in one transaction, and sees its own writes', async () => {
    const { process, sizes, countOf } = opened();
    const { together, add } = process();
    const counts = await together(async () => [await add('a'), await add('b'), await add('a')]);
    expect(counts).toEqual([1, 1, 2]);
    expect([sizes, await countOf('a'), await countOf('b')]).toEqual([[2], 2, 1]);
  });

  it('writes nothing if it fails, or drops what it has written', async () => {
    const { process, sizes, countOf } = opened();
    const { together, add } = process();
    const failing = together(async () => {
      await add('a');
      throw new Error('On purpose.');
    });
    await expect(failing).rejects.toThrow('On purpose.');
    const dropped = await together(async (drop) => {
      await add('a');
      drop();
      return 'refused';
    });
    expect([dropped, sizes, await countOf('a')]).toEqual(['refused', [], undefined]);
  });

  it('is done again as a whole if another process was first', async () => {
    const { process, rival, onCommit, countOf } = opened();
    const { together, add } = process();
    let turns = 0;
    onCommit(async () => {
      turns += 1;
      if (turns === 1) await rival.add('b');
    });
    expect(await together(async () => [await add('a'), await add('b')])).toEqual([1, 2]);
    expect([await countOf('a'), await countOf('b'), turns]).toEqual([1, 2, 2]);
  });

  it('refuses nothing by an item that another process has changed', async () => {
    const { process, rival } = opened();
    const { together, items, add } = process();
    await add('a');
    await rival.add('a');
    expect(await together(async () => (await items.read('a'))?.value.count)).toBe(2);
  });

  it('fails with what it holds, if that has changed before it is stored', async () => {
    const { process, rival, onCommit } = opened();
    const { together, items, add } = process();
    await add('held');
    const seen: (number | undefined)[] = [];
    onCommit(async () => {
      if (seen.length === 1) await rival.add('held');
    });
    await together(async () => {
      seen.push((await items.readChecked('held'))?.value.count);
      await add('a');
    });
    expect(seen).toEqual([1, 2]);
  });
});

describe('works of one process at the same time', () => {
  it('share transactions, each seeing what those before it have written', async () => {
    const { process, sizes, countOf } = opened();
    const { together, add } = process();
    const works = Array.from({ length: 20 }, (_, nth) =>
      together(async () => [await add('shared'), await add(`own ${nth}`)]),
    );
    expect((await Promise.all(works)).map(([count]) => count)).toEqual(
      Array.from({ length: 20 }, (_, nth) => nth + 1),
    );
    expect([sizes, await countOf('shared')]).toEqual([[2, 20], 20]);
  });

  it('do not fail with one of them', async () => {
    const { process, countOf } = opened();
    const { together, add } = process();
    const works = [0, 1, 2, 3].map((nth) =>
      together(async () => {
        await add('shared');
        if (nth === 2) throw new Error('On purpose.');
      }),
    );
    const ends = await Promise.allSettled(works);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await countOf('shared')).toBe(3);
  });

  it('lose no count in races of processes', async () => {
    const { process, countOf } = opened();
    const processes = Array.from({ length: 8 }, process);
    const works = processes.flatMap(({ together, add }) =>
      Array.from({ length: 10 }, () => together(async () => [await add('a'), await add('b')])),
    );
    await Promise.all(works);
    expect([await countOf('a'), await countOf('b')]).toEqual([80, 80]);
  });
});

it('work of more than 100 items is written in parts, its checks with the last', async () => {
  const { process, sizes, countOf } = opened();
  const { together, items, add } = process();
  await together(async () => {
    await items.readChecked('held');
    for (let nth = 0; nth < 150; nth += 1) await add(`item ${nth}`);
  });
  expect([sizes, await countOf('item 149')]).toEqual([[100, 51], 1]);
});

const kind = {
  prefix: 'thing',
  scope: 'portal',
  table: 'state',
  schema: {
    parse: (body: unknown) => {
      if (typeof body !== 'string') throw new Error('damaged');
      return body;
    },
  },
  fields: undefined,
  place: () => undefined,
  expiry: {},
} as const;

function openReader() {
  const memory = openMemoryStore();
  const reads: number[] = [];
  const watched: Store = watchedStore(memory, (request, send) => {
    if (request.kind === 'getMany') reads.push(request.places.length);
    return send();
  });
  const items = openItems<string>({ store: joinReads(watched) }, kind);
  const put = (key: string, body: unknown) => putRaw(memory, { kind, key, body });
  const read = async (key: string) => (await items.read(key as ItemKey))?.value;
  return { reads, put, read };
}

it('joins the reads of one moment, at most 100 items in a request', async () => {
  const { reads, put, read } = openReader();
  const names = Array.from({ length: 150 }, (_, nth) => `thing ${nth}`);
  for (const name of names) put(name, name);
  expect(await Promise.all(names.map(read))).toEqual(names);
  expect(await read('missing')).toBeUndefined();
  expect(reads).toEqual([100, 50, 1]);
});

it('joins the reads that follow a joined read', async () => {
  const { reads, put, read } = openReader();
  put('a', 'c');
  put('b', 'd');
  put('c', 'end of a');
  const follow = async (name: string) => read((await read(name)) ?? '');
  expect(await Promise.all(['a', 'b'].map(follow))).toEqual(['end of a', undefined]);
  expect(reads).toEqual([2, 2]);
});

it('a damaged item fails the reads that name it, and no others', async () => {
  const { reads, put, read } = openReader();
  put('good', 'good');
  put('bad', { no: 'text' });
  const [good, bad] = await Promise.allSettled([read('good'), read('bad')]);
  expect(good).toEqual({ status: 'fulfilled', value: 'good' });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'damaged' } });
  expect(reads).toEqual([2]);
});
