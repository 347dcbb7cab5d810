import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, type Known, put, remove, type Store } from '#shared/store';
import {
  engines,
  type OpenEngine,
  otherThings,
  type SharedEngine,
  sharedEngines,
  type Thing,
  thing,
  things,
  thingsOfBuyer,
} from './engines.ts';

describe.each(engines)('the store over $name', ({ open }) => {
  let engine: OpenEngine;
  let store: Store;
  beforeAll(async () => {
    engine = await open();
    store = engine.connect();
  });
  afterAll(() => engine.close());

  const read = async (key: string) => (await store.getMany([thing(key)])).get(thing(key));
  const write = (key: string, value: Thing, known?: Known<Thing>) =>
    store.transact([put(thing(key), value, known)]);
  /** Writes and returns what is then known. */
  const written = async (key: string, value: Thing): Promise<Known<Thing>> => {
    await write(key, value, await read(key));
    const known = await read(key);
    if (!known) throw new Error('What was written is there.');
    return known;
  };

  describe('one item', () => {
    it('is absent before it is written', async () => {
      expect(await read('absent')).toBeUndefined();
    });

    it('has the id of its write as version', async () => {
      const result = await write('new', { name: 'a' });
      expect(result).toMatchObject({ kind: 'done' });
      expect(await read('new')).toEqual({
        value: { name: 'a' },
        version: result.kind === 'done' && result.version,
      });
    });

    it('is written once: a second first write loses', async () => {
      const known = await written('taken', { name: 'first' });
      const result = await write('taken', { name: 'second' });
      expect(result.kind).toBe('conflict');
      expect(await read('taken')).toEqual(known);
    });

    it('changes on its version, and not on an older one', async () => {
      const first = await written('changed', { name: 'one' });
      expect((await write('changed', { name: 'two' }, first)).kind).toBe('done');
      expect((await write('changed', { name: 'three' }, first)).kind).toBe('conflict');
      expect((await read('changed'))?.value).toEqual({ name: 'two' });
    });

    it('that was deleted and written again is never taken for the old one', async () => {
      const old = await written('again', { name: 'same' });
      await store.transact([remove(thing('again'), old)]);
      expect(await read('again')).toBeUndefined();
      expect((await write('again', { name: 'x' }, old)).kind).toBe('conflict');
      await written('again', { name: 'same' });
      expect((await write('again', { name: 'x' }, old)).kind).toBe('conflict');
      expect((await store.transact([remove(thing('again'), old)])).kind).toBe('conflict');
    });

    it('is replaced whole, and undefined fields are absent at every depth', async () => {
      await written('whole', { name: 'a', note: 'old' });
      const { value } = await written('whole', {
        name: 'b',
        note: undefined,
        sizes: [{ size: 1, unit: undefined }],
      });
      expect(value).toStrictEqual({ name: 'b', sizes: [{ size: 1 }] });
    });

    it('keeps fields of a later version, until a forgetting drops them', async () => {
      const known = await written('later', { name: 'a' });
      const later = { ...known, unknown: { added: { size: 7 } } };
      await store.transact([put(thing('later'), { name: 'b' }, later)]);
      const seen = await read('later');
      expect(seen).toMatchObject({ value: { name: 'b' }, unknown: { added: { size: 7 } } });
      await store.transact([put(thing('later'), { name: 'c' }, seen, true)]);
      expect(await read('later')).not.toHaveProperty('unknown');
    });

    it('holds any text', async () => {
      const name = 'Zoë "O\'Neil" \u0001 \u{1f980} \\ \n';
      expect((await written('text/with#signs ä', { name })).value.name).toBe(name);
    });

    it('of up to 400 KB is taken, and a larger one refused', async () => {
      expect((await written('large', { name: 'x'.repeat(390_000) })).value.name).toHaveLength(390_000);
      await expect(write('larger', { name: 'x'.repeat(410_000) })).rejects.toMatchObject({
        code: 'ITEM_TOO_LARGE',
      });
    });
  });

  describe('a transaction', () => {
    it('writes all, in both tables, with one version', async () => {
      const other = thing('both', otherThings);
      const result = await store.transact([
        put(thing('both'), { name: 'here' }, undefined),
        put(other, { name: 'there' }, undefined),
      ]);
      const items = await store.getMany([thing('both'), other]);
      const version = result.kind === 'done' && result.version;
      expect(items.get(thing('both'))).toEqual({ value: { name: 'here' }, version });
      expect(items.get(other)).toEqual({ value: { name: 'there' }, version });
    });

    it('writes nothing if one item has changed', async () => {
      const known = await written('a', { name: 'a' });
      await written('a', { name: 'a2' });
      const result = await store.transact([
        put(thing('a'), { name: 'mine' }, known),
        put(thing('b'), { name: 'mine' }, undefined),
      ]);
      expect(result.kind).toBe('conflict');
      expect((await read('a'))?.value).toEqual({ name: 'a2' });
      expect(await read('b')).toBeUndefined();
    });

    it('holds an item fast that it only checks', async () => {
      const held = await written('held', { name: 'epoch 1' });
      const step = (key: string) =>
        store.transact([check(thing('held'), held), put(thing(key), { name: 'x' }, undefined)]);
      expect((await step('under-hold')).kind).toBe('done');
      await written('held', { name: 'epoch 2' });
      expect((await step('too-late')).kind).toBe('conflict');
      expect(await read('too-late')).toBeUndefined();
    });

    it('can check that an item is absent', async () => {
      const absent = check(thing('nobody'), undefined);
      expect((await store.transact([absent])).kind).toBe('done');
      await written('nobody', { name: 'x' });
      expect((await store.transact([absent])).kind).toBe('conflict');
    });

    it('takes 100 items and refuses 101, or one item twice', async () => {
      const puts = (count: number) =>
        Array.from({ length: count }, (_, nth) => put(thing(`many-${nth}`), { name: 'x' }, undefined));
      expect((await store.transact(puts(100))).kind).toBe('done');
      const keys = Array.from({ length: 100 }, (_, nth) => thing(`many-${nth}`));
      const items = await store.getMany([...keys, ...keys]);
      expect(keys.every((place) => items.get(place)?.value.name === 'x')).toBe(true);
      await expect(store.transact(puts(101))).rejects.toThrow(Error);
      await expect(store.transact([...puts(1), ...puts(1)])).rejects.toThrow(Error);
    });

    it('loses nothing when 16 writers race for two items', async () => {
      const places = [thing('race-1'), thing('race-2', otherThings)] as const;
      const workers = Array.from({ length: 8 }, () => engine.connect());
      const add = async (worker: Store) => {
        for (;;) {
          const items = await worker.getMany([...places]);
          const raised = places.map((place) => {
            const known = items.get(place);
            return put(place, { name: String(Number(known?.value.name ?? 0) + 1) }, known);
          });
          if ((await worker.transact(raised)).kind === 'done') return;
        }
      };
      await Promise.all(Array.from({ length: 16 }, (_, nth) => add(workers[nth % 8] ?? store)));
      const items = await store.getMany([...places]);
      expect(places.map((place) => items.get(place)?.value.name)).toEqual(['16', '16']);
    });

    it('and plain puts do not overtake each other', async () => {
      const worker = engine.connect();
      const raise = async (by: Store, isPair: boolean) => {
        for (;;) {
          const known = (await by.getMany([thing('mixed')])).get(thing('mixed'));
          const steps = [put(thing('mixed'), { name: String(Number(known?.value.name ?? 0) + 1) }, known)];
          const extra = isPair ? [check(thing('never-there'), undefined)] : [];
          if ((await by.transact([...steps, ...extra])).kind === 'done') return;
        }
      };
      await Promise.all(
        Array.from({ length: 12 }, (_, nth) => raise(nth % 2 ? worker : store, nth % 3 === 0)),
      );
      expect((await read('mixed'))?.value.name).toBe('12');
    });
  });

  describe('the index', () => {
    const all = async (range: Parameters<Store['index']>[1]) => {
      const keys: string[] = [];
      let after: Parameters<Store['index']>[1]['after'];
      do {
        const page = await store.index(things, { ...range, after });
        keys.push(...page.keys);
        after = page.next;
      } while (after);
      return keys;
    };
    const placed = (key: string, partition: string, order: number) =>
      written(key, { name: key, place: { partition, order } });

    it('lists keys in their order, both ways, in a window', async () => {
      for (const order of [3, 1, 2]) await placed(`o${order}`, 'order', order);
      expect(await all({ partition: 'order' })).toEqual(['o1', 'o2', 'o3']);
      expect(await all({ partition: 'order', newestFirst: true })).toEqual(['o3', 'o2', 'o1']);
      expect(await all({ partition: 'order', from: 2, upTo: 3 })).toEqual(['o2', 'o3']);
      expect(await all({ partition: 'order', from: 3, upTo: 2 })).toEqual([]);
    });

    it('goes on page by page, none missed and none twice, also among equal orders', async () => {
      const keys = Array.from({ length: 230 }, (_, nth) => `p${String(nth).padStart(3, '0')}`);
      for (let nth = 0; nth < keys.length; nth += 50)
        await store.transact(
          keys
            .slice(nth, nth + 50)
            .map((key) => put(thing(key), { name: key, place: { partition: 'pages', order: 7 } }, undefined)),
        );
      const found = await all({ partition: 'pages' });
      expect(new Set(found)).toEqual(new Set(keys));
      expect(found).toHaveLength(230);
      expect((await store.index(things, { partition: 'pages', limit: 30 })).keys).toHaveLength(30);
      expect(await store.count(things, 'pages')).toBe(230);
      expect(await store.count(things, 'pages', 40)).toBe(40);
    });

    it('follows an item that moves, and forgets one that leaves or is removed', async () => {
      await placed('moves', 'from', 1);
      await placed('moves', 'to', 1);
      expect([await all({ partition: 'from' }), await all({ partition: 'to' })]).toEqual([[], ['moves']]);
      await written('moves', { name: 'without a place' });
      expect(await all({ partition: 'to' })).toEqual([]);
    });
  });

  it('a scan finds the items of a kind and its owner, in pages', async () => {
    const names = Array.from({ length: 130 }, (_, nth) => `${nth}`);
    const scanned = { ...things, prefix: 'scanned' };
    for (const prefix of ['scan', 'scanneD', 'scanned0'])
      await store.transact([put(thing('1', { ...things, prefix }), { name: prefix }, undefined)]);
    for (const name of names) await store.transact([put(thing(name, scanned), { name }, undefined)]);
    const found = await Array.fromAsync(store.scan(scanned), (body) => Object(body).name);
    expect(found.toSorted()).toEqual(names.toSorted());
  });
});

describe.each(sharedEngines)('portals of one buyer over $name', ({ open }) => {
  let engine: SharedEngine;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());

  /** All that a store shows of a kind, by each way to it. */
  async function shown(store: Store, of: typeof things) {
    const { keys, next } = await store.index(of, { partition: 'all', limit: 1 });
    const rest = next ? (await store.index(of, { partition: 'all', after: next })).keys : [];
    const places = ['1', '2', '3'].map((key) => thing(key, of));
    const items = await store.getMany(places);
    return {
      listed: [...keys, ...rest],
      counted: await store.count(of, 'all'),
      scanned: (await Array.fromAsync(store.scan(of), (body) => String(Object(body).name))).toSorted(),
      read: places.map((place) => items.get(place)?.value.name),
    };
  }

  it('have the items of the buyer together, and each its own', async () => {
    const first = engine.connect({ buyer: 'us', portal: 'portal-1' });
    const second = engine.connect({ buyer: 'us', portal: 'portal-2' });
    const write = (store: Store, key: string, of: typeof things) => {
      const name = `${store.owners.portal}, ${key}`;
      return store.transact([
        put(thing(key, of), { name, place: { partition: 'all', order: 1 } }, undefined),
      ]);
    };
    for (const [store, key] of [
      [first, '1'],
      [first, '2'],
      [second, '2'],
      [second, '3'],
    ] as const)
      expect((await write(store, key, things)).kind).toBe('done');
    expect(await shown(first, things)).toEqual({
      listed: ['1', '2'],
      counted: 2,
      scanned: ['portal-1, 1', 'portal-1, 2'],
      read: ['portal-1, 1', 'portal-1, 2', undefined],
    });
    expect(await shown(second, things)).toEqual({
      listed: ['2', '3'],
      counted: 2,
      scanned: ['portal-2, 2', 'portal-2, 3'],
      read: [undefined, 'portal-2, 2', 'portal-2, 3'],
    });
    expect((await write(first, '1', thingsOfBuyer)).kind).toBe('done');
    expect((await write(second, '1', thingsOfBuyer)).kind).toBe('conflict');
    expect(await shown(second, thingsOfBuyer)).toEqual(await shown(first, thingsOfBuyer));
    expect((await shown(second, thingsOfBuyer)).read).toEqual(['portal-1, 1', undefined, undefined]);
  });
});
