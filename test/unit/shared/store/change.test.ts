import { describe, expect, it } from 'vitest';
import { change, createChangeTogether, type VersionedItems } from '#shared/store';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const START_MS = 1_000;

/** Numbers that somebody else raises by 10 before each of our first `rivals` writes. */
async function contended(rivals: number, stored?: number) {
  const items = createMemoryItems<number>();
  if (stored !== undefined) await items.write({ key: 'n', value: stored, expectedVersion: undefined });
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const ops: string[] = [];
  let left = rivals;
  const watched: VersionedItems<number, string> = {
    read: async (key) => {
      ops.push('read');
      return items.read(key);
    },
    write: async (wish) => {
      ops.push('write');
      const there = await items.read(wish.key);
      const value = (there?.value ?? 0) + 10;
      if (left-- > 0) await items.write({ ...wish, value, expectedVersion: there?.version });
      return items.write(wish);
    },
  };
  const item = { key: 'n', kind: 'number', clock };
  const raise = (known = 0) => ({ value: known + 1 });
  return { items: watched, item, ops, raise, clock, value: async () => (await items.read('n'))?.value };
}

describe('a change of a versioned item', () => {
  it('is decided on what is there, or on nothing, and tells what was decided', async () => {
    const { items, item, value } = await contended(0);
    const decide = (known: number | undefined) => ({ value: (known ?? 0) + 1, known });
    expect(await change(items, item, decide)).toEqual({ value: 1, known: undefined });
    expect(await change(items, item, decide)).toEqual({ value: 2, known: 1 });
    expect(await value()).toBe(2);
  });

  it('is decided anew after a lost race, on what the other left, after a wait that grows', async () => {
    const { items, item, raise, clock, value } = await contended(3, 1);
    const seen: unknown[] = [];
    await change(items, item, async (known) => {
      seen.push(known);
      return raise(known);
    });
    expect(await value()).toBe(32);
    expect(seen).toEqual([1, 11, 21, 31]);
    expect(clock.now() - START_MS).toBe(2 + 4 + 8);
  });

  it('writes nothing where nothing is decided', async () => {
    const { items, item, ops } = await contended(0, 1);
    expect(await change(items, item, (known) => ({ seen: known, value: undefined }))).toEqual({ seen: 1 });
    expect(ops).toEqual(['read']);
  });

  it('builds on the own last write without a read, and reads after somebody else has written', async () => {
    const { items, item, ops, raise, value } = await contended(0, 1);
    const own = { ...item, written: new Map() };
    await change(items, own, raise);
    await change(items, own, raise);
    expect(ops).toEqual(['read', 'write', 'write']);
    await change(items, item, (known = 0) => ({ value: known + 10 }));
    ops.length = 0;
    await change(items, own, raise);
    expect(ops).toEqual(['write', 'read', 'write']);
    expect(await value()).toBe(14);
  });

  it('decides to write nothing only on what it has read, whatever it wrote last', async () => {
    const { items, item, ops, raise } = await contended(0, 1);
    const own = { ...item, written: new Map() };
    await change(items, own, raise);
    await change(items, item, (known = 0) => ({ value: known + 10 }));
    ops.length = 0;
    expect(await change(items, own, (known) => ({ seen: known, value: undefined }))).toEqual({ seen: 12 });
    expect(ops).toEqual(['read']);
  });

  it('forgets its last write when the next one fails, because nobody knows whether it arrived', async () => {
    const { items, item, ops, raise, value } = await contended(0, 1);
    const own = { ...item, written: new Map() };
    await change(items, own, raise);
    const away = new Error('away');
    const broken = { ...items, write: () => Promise.reject(away) };
    await expect(change(broken, own, raise)).rejects.toBe(away);
    ops.length = 0;
    await change(items, own, raise);
    expect(ops).toEqual(['read', 'write']);
    expect(await value()).toBe(3);
  });

  it('gives up as a failure of the outside that may be tried again and says what could not be changed', async () => {
    const { items, item, ops, raise } = await contended(Number.POSITIVE_INFINITY);
    await expect(change(items, item, raise)).rejects.toMatchObject({
      name: 'UpstreamError',
      code: 'ITEM_CONTENDED',
      message: expect.stringContaining('number'),
      retryable: true,
    });
    expect(ops.filter((op) => op === 'write')).toHaveLength(200);
  });
});

function open(pauseMs = 0) {
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const stored = createMemoryItems<number>();
  const writes: number[] = [];
  let failures = 0;
  const items: VersionedItems<number, string> = {
    read: stored.read,
    write: async (change) => {
      await clock.sleep(10);
      if (failures-- > 0) throw new Error('The store has a hiccup.');
      writes.push(clock.now());
      return stored.write(change);
    },
  };
  const change = createChangeTogether(items, { key: 'a', kind: 'number', clock, pauseMs: () => pauseMs });
  const add = (added: number) => change((known = 0) => ({ value: known + added, before: known }));
  const value = async () => (await stored.read('a'))?.value;
  const fail = (times: number) => {
    failures = times;
  };
  return { clock, change, add, value, writes, fail };
}

describe('changes of one item by one process', () => {
  it('fail together, and go on', async () => {
    const { add, value, fail } = open();
    fail(2);
    const ends = await Promise.allSettled([1, 2, 4].map(add));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await add(8);
    expect(await value()).toBe(8);
  });

  it('leave a pause between two writes, and none before the first', async () => {
    const { add, writes } = open(1_000);
    await Promise.all([1, 2, 4].map(add));
    expect(writes).toEqual([10, 1_020]);
  });
});
