import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexQuery } from '#inside/versioned-items/store.ts';
import { systemClock } from '#shared/kernel/adapters';
import { change } from '#shared/versioned-items';
import { backends, type OpenBackend, type Stores, type Thing } from './backends.ts';

describe.each(backends)('versioned items in $name', ({ open }) => {
  let backend: OpenBackend;
  let items: Stores['items'];
  beforeAll(async () => {
    backend = await open();
    ({ items } = backend.connect());
  });
  afterAll(() => backend.close());

  const write = (key: string, value: Thing, expectedVersion: number) =>
    items.write({ key, value, expectedVersion });

  it('reads nothing where nothing was written', async () => {
    expect(await items.read('absent')).toBeUndefined();
  });

  it('counts versions from 1, one a write', async () => {
    expect(await write('counted', { name: 'a' }, 0)).toBe('written');
    expect(await items.read('counted')).toEqual({ value: { name: 'a' }, version: 1 });
    expect(await write('counted', { name: 'b' }, 1)).toBe('written');
    expect(await items.read('counted')).toEqual({ value: { name: 'b' }, version: 2 });
  });

  it.each([
    { case: 'a first write where an item is', expectedVersion: 0 },
    { case: 'a write on an older version', expectedVersion: 1 },
    { case: 'a write on a version that is not there yet', expectedVersion: 3 },
  ])('refuses $case and changes nothing', async ({ expectedVersion }) => {
    const key = `refused-${expectedVersion}`;
    await write(key, { name: 'first' }, 0);
    await write(key, { name: 'second' }, 1);
    expect(await write(key, { name: 'intruder' }, expectedVersion)).toBe('conflict');
    expect(await items.read(key)).toEqual({ value: { name: 'second' }, version: 2 });
  });

  it('refuses to change an item that was never written', async () => {
    expect(await write('never', { name: 'a' }, 1)).toBe('conflict');
    expect(await items.read('never')).toBeUndefined();
  });

  it('replaces the whole value: a field that is left out is gone', async () => {
    await write('replaced', { name: 'a', note: 'old' }, 0);
    await write('replaced', { name: 'b' }, 1);
    expect((await items.read('replaced'))?.value).toStrictEqual({ name: 'b' });
  });

  it('keeps the fields that only a later version knows, until a forgetting drops them', async () => {
    const unknown = { later: { size: 7 } };
    await items.write({ key: 'newer', value: { name: 'a' }, expectedVersion: 0, unknown });
    const item = { key: 'newer', kind: 'thing', clock: systemClock };
    await change(items, item, () => ({ value: { name: 'b' } }));
    const expected = { value: { name: 'b' }, version: 2, unknown };
    expect(await items.read('newer')).toEqual(expected);
    await change(items, { ...item, isForgetting: true }, () => ({ value: { name: 'c' } }));
    expect(await items.read('newer')).toEqual({ value: { name: 'c' }, version: 3 });
  });

  it('takes undefined fields for absent ones, at every depth', async () => {
    await write('undefined', { name: 'a', note: undefined, services: [{ size: 1, unit: undefined }] }, 0);
    expect((await items.read('undefined'))?.value).toEqual({ name: 'a', services: [{ size: 1 }] });
  });

  it('holds what was written, whatever its writer and its readers do to theirs', async () => {
    const value = { name: 'mine', services: [{ size: 1 }] };
    await write('copied', value, 0);
    value.services.push({ size: 2 });
    const one = await items.read('copied');
    // A value that is read-only refuses it.
    Reflect.set(one?.value ?? {}, 'name', 'another');
    Reflect.set(one?.value.services?.[0] ?? {}, 'size', 3);
    expect(await items.read('copied')).toEqual({
      value: { name: 'mine', services: [{ size: 1 }] },
      version: 1,
    });
  });

  it('holds a value of 300 KB', async () => {
    const note = 'ö'.repeat(150_000);
    await write('large', { name: 'large', note }, 0);
    expect((await items.read('large'))?.value.note).toBe(note);
  });

  it('lets exactly one of many first writers win', async () => {
    const writers = Array.from({ length: 20 }, (_, i) => ({ name: `writer ${i}`, ...backend.connect() }));
    const results = await Promise.all(
      writers.map(async ({ name, items: own }) => ({
        name,
        result: await own.write({ key: 'raced', value: { name }, expectedVersion: 0 }),
      })),
    );
    const winners = results.filter(({ result }) => result === 'written');
    expect(winners).toHaveLength(1);
    expect((await items.read('raced'))?.value.name).toBe(winners[0]?.name);
  });

  it('loses no change of many concurrent ones', async () => {
    const add = (own: Stores['items'], size: number) =>
      change(own, { key: 'summed', kind: 'sum', clock: systemClock }, (known) => ({
        value: { name: 'sum', services: [...(known?.services ?? []), { size }] },
      }));
    const sizes = Array.from({ length: 20 }, (_, i) => i);
    await Promise.all(sizes.map((size) => add(backend.connect().items, size)));
    const sum = await items.read('summed');
    expect(sum?.version).toBe(20);
    expect(sum?.value.services?.map(({ size }) => size).sort((a, b) => a - b)).toEqual(sizes);
  });
});

describe.each(backends)('the index of items in $name', ({ open }) => {
  let backend: OpenBackend;
  let items: Stores['items'];
  beforeAll(async () => {
    backend = await open();
    ({ items } = backend.connect());
  });
  afterAll(() => backend.close());

  const place = async (name: string, partition: string, order: number) => {
    const value = { name, place: { partition, order } };
    await items.write({ key: name, value, expectedVersion: (await items.read(name))?.version ?? 0 });
  };
  const names = async (query: IndexQuery<string>) => (await items.list(query)).map(({ name }) => name);

  it('lists lowest order first, up to an order, at most so many', async () => {
    for (const order of [30, 10, 9, 200, 0]) await place(`due-${order}`, 'due', order);
    await place('elsewhere', 'other', 5);
    const all = ['due-0', 'due-9', 'due-10', 'due-30', 'due-200'];
    expect(await names({ partition: 'due', limit: 100 })).toEqual(all);
    expect(await names({ partition: 'due', upTo: 10, limit: 100 })).toEqual(['due-0', 'due-9', 'due-10']);
    expect(await names({ partition: 'due', upTo: 30, limit: 2 })).toEqual(['due-0', 'due-9']);
    expect(await names({ partition: 'due', limit: 5 })).toEqual(all);
    expect(await items.count('due')).toBe(5);
  });

  it('lists from an order on, both ends of a window included, and none of a window that ends before it begins', async () => {
    for (const order of [0, 10, 20, 30]) await place(`hour-${order}`, 'hours', order);
    const all = ['hour-0', 'hour-10', 'hour-20', 'hour-30'];
    expect(await names({ partition: 'hours' })).toEqual(all);
    expect(await names({ partition: 'hours', from: 10, upTo: 20 })).toEqual(['hour-10', 'hour-20']);
    expect(await names({ partition: 'hours', from: 11 })).toEqual(['hour-20', 'hour-30']);
    expect(await names({ partition: 'hours', from: 11, limit: 1 })).toEqual(['hour-20']);
    expect(await names({ partition: 'hours', from: 21, upTo: 20 })).toEqual([]);
  });

  it('goes through a partition in pages, each item once, those of one order too', async () => {
    const all = Array.from({ length: 11 }, (_, nth) => `paged-${nth}`);
    for (const [nth, name] of all.entries()) await place(name, 'paged', nth < 6 ? 1 : 2);
    expect(await items.count('paged')).toBe(11);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { values, next } = await items.page({ partition: 'paged', after, limit: 4 });
      expect(values.length).toBeLessThanOrEqual(4);
      seen.push(...values.map(({ name }) => name));
      after = next;
    } while (after !== undefined);
    expect(seen.toSorted()).toEqual(all.toSorted());
  });

  it('takes the end of another page for a place, and what is no end for the beginning', async () => {
    for (const order of [1, 2, 3]) await place(`cursor-${order}`, 'cursors', order);
    await place('a stranger', 'strangers', 2);
    expect(await items.count('cursors')).toBe(3);
    const namesFrom = async (cursor: string) =>
      (await items.page({ partition: 'cursors', after: cursor })).values.map(({ name }) => name);
    // Of one order, the store has an order of its own.
    const found = await namesFrom('2/a stranger');
    expect(found).toContain('cursor-3');
    expect(found).not.toContain('cursor-1');
    for (const none of ['', 'x', '{}', '2/', '-1/a', '99999999999999999/a', `1/${'a'.repeat(4_000)}`])
      expect(await namesFrom(none)).toEqual(['cursor-1', 'cursor-2', 'cursor-3']);
  });

  it('knows nothing of a partition that nobody is in', async () => {
    expect(await names({ partition: 'nobody', limit: 10 })).toEqual([]);
    expect(await items.count('nobody')).toBe(0);
  });

  it('moves an item with its value, and leaves out what has no place', async () => {
    await place('moving', 'before', 1);
    expect(await items.count('before')).toBe(1);
    await place('moving', 'after', 1);
    expect(await items.count('before')).toBe(0);
    expect(await names({ partition: 'after', limit: 10 })).toEqual(['moving']);
    await items.write({ key: 'moving', value: { name: 'moving' }, expectedVersion: 2 });
    expect(await items.count('after')).toBe(0);
  });

  it('lists and counts more than one answer of the store can hold', async () => {
    const note = 'x'.repeat(200_000);
    const values = Array.from({ length: 12 }, (_, order) => ({
      name: `heavy-${order}`,
      note,
      place: { partition: 'heavy', order },
    }));
    for (const value of values) await items.write({ key: value.name, value, expectedVersion: 0 });
    expect(await items.count('heavy')).toBe(12);
    expect(await names({ partition: 'heavy', limit: 100 })).toEqual(values.map(({ name }) => name));
    expect(await names({ partition: 'heavy', from: 0 })).toEqual(values.map(({ name }) => name));
    expect(await names({ partition: 'heavy', limit: 8 })).toHaveLength(8);
  });
});
