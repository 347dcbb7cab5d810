import { expect, it } from 'vitest';
import { type ItemKey, joinReads, openItems, type Store } from '#shared/store';
import { openMemoryStore, putRaw } from '../../../harness/memory-items.ts';
import { watchedStore } from '../../../harness/watched-store.ts';

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

function opened() {
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
  const { reads, put, read } = opened();
  const names = Array.from({ length: 150 }, (_, nth) => `thing ${nth}`);
  for (const name of names) put(name, name);
  expect(await Promise.all(names.map(read))).toEqual(names);
  expect(await read('missing')).toBeUndefined();
  expect(reads).toEqual([100, 50, 1]);
});

it('joins the reads that follow a joined read', async () => {
  const { reads, put, read } = opened();
  put('a', 'c');
  put('b', 'd');
  put('c', 'end of a');
  const follow = async (name: string) => read((await read(name)) ?? '');
  expect(await Promise.all(['a', 'b'].map(follow))).toEqual(['end of a', undefined]);
  expect(reads).toEqual([2, 2]);
});

it('a damaged item fails the reads that name it, and no others', async () => {
  const { reads, put, read } = opened();
  put('good', 'good');
  put('bad', { no: 'text' });
  const [good, bad] = await Promise.allSettled([read('good'), read('bad')]);
  expect(good).toEqual({ status: 'fulfilled', value: 'good' });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'damaged' } });
  expect(reads).toEqual([2]);
});
