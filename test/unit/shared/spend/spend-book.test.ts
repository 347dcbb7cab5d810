import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StoredStatus, statusSchema } from '#inside/records/schemas.ts';
import { type SpendMonth, type SpendRow, spendMonthSchema } from '#inside/spend/schemas.ts';
import { createSpendBook } from '#inside/spend/spend-book.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { monthOfDay } from '#shared/kernel';
import type { VersionedItems } from '#shared/store';
import { createMemoryItems, createMemoryLedgerStore } from '../../../harness/memory-items.ts';
import { repeated } from '../../../harness/repeated.ts';
import { bookKeeping, charge, handClock, logOf, logSteps } from './random-log.ts';

type Sums = Record<string, [credits: number, count: number, freeMisses: number]>;

/** The same sums, made the plain way from the whole log. */
function sumsOf(log: readonly LedgerEntry[]): Sums {
  const sums: Sums = {};
  for (const { kind, day, operation, purpose, reason, amountCredits } of log) {
    const isFreeMiss = kind === 'voided' && reason === 'no-match';
    if (kind !== 'posted' && kind !== 'late' && !isFreeMiss) continue;
    const known = reason === 'match' || reason === 'no-match' ? reason : 'other';
    const key = `${day} ${operation} ${purpose} ${kind === 'late' ? 'late' : known}`;
    const [credits, count, freeMisses] = sums[key] ?? [0, 0, 0];
    sums[key] = isFreeMiss
      ? [credits, count, freeMisses + 1]
      : [credits + amountCredits, count + 1, freeMisses];
  }
  return sums;
}

function sumsIn(rows: readonly SpendRow[]): Sums {
  const keyed = rows.map(({ day, operation, purpose, outcome, credits, count, freeMisses = 0 }) => [
    `${day} ${operation} ${purpose} ${outcome}`,
    [credits, count, freeMisses],
  ]);
  const sums = Object.fromEntries(keyed);
  expect(Object.keys(sums)).toHaveLength(rows.length);
  return sums;
}

function monthsOf(log: readonly LedgerEntry[]): string[] {
  return [...new Set(log.map(({ day }) => monthOfDay(day)))];
}

const clock = handClock();

class Crash extends Error {}

interface World {
  readonly items: VersionedItems<SpendMonth>;
  readonly status: VersionedItems<StoredStatus>;
  readonly store: ReturnType<typeof createMemoryLedgerStore>;
}

function newWorld(): World {
  return { items: createMemoryItems(), status: createMemoryItems(), store: createMemoryLedgerStore() };
}

/** The same world; `pass` is awaited before each read and write, and may throw instead of letting it happen. */
function gated({ items, status, store }: World, pass: () => Promise<unknown>) {
  const through = <T>(inner: VersionedItems<T>): VersionedItems<T> => ({
    read: (key) => pass().then(() => inner.read(key)),
    write: (change) => pass().then(() => inner.write(change)),
  });
  const entries: typeof store.entries = (query) => pass().then(() => store.entries(query));
  const gatedStore = { ...store, entries };
  return createSpendBook({
    items: through(items),
    status: through(status),
    store: gatedStore,
    clock,
  });
}

async function crashing(world: World, after: number) {
  let left = after;
  const book = gated(world, async () => {
    if (left === 0) throw new Crash();
    left -= 1;
  });
  await book.project().catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
}

const act = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('project' as const) }),
  fc.record({
    kind: fc.constant('crash' as const),
    after: fc.nat({ max: 9 }),
  }),
  fc.record({ kind: fc.constant('at-once' as const) }),
);

describe('the spend book', () => {
  it('equals the sums of the whole log, whatever is projected, interrupted, repeated and done at once', async () => {
    const property = fc.asyncProperty(
      logSteps,
      fc.array(act, { maxLength: 12 }),
      fc.scheduler(),
      async (steps, acts, scheduler) => {
        const log = await logOf(steps);
        const months = monthsOf(log);
        const world = newWorld();
        const plain = createSpendBook({ ...world, clock });
        const slow = gated(world, () => scheduler.schedule(Promise.resolve()));
        const present: LedgerEntry[] = [];
        for (const each of acts) {
          if (each.kind === 'append') {
            const added = log.slice(present.length, present.length + each.count);
            for (const entry of added) await world.store.append(entry);
            present.push(...added);
          } else if (each.kind === 'project') await plain.project();
          else if (each.kind === 'crash') await crashing(world, each.after);
          else {
            const reading = slow.read({ months });
            const all = Promise.all([slow.project(), slow.project(), slow.project(), reading]);
            const [, , , { rows }] = await scheduler.waitFor(all);
            expect(sumsIn(rows)).toEqual(sumsOf(present));
          }
          const { rows, newest } = await plain.read({ months });
          expect(sumsIn(rows)).toEqual(sumsOf(present));
          expect(newest?.seq).toBe(present.at(-1)?.seq);
        }
      },
    );
    await fc.assert(property, { seed: 20_261_121, numRuns: repeated(150) });
  });

  it('has everything in its months after a projection: no tail is left to fold', async () => {
    const property = fc.asyncProperty(logSteps, async (steps) => {
      const log = await logOf(steps);
      const world = newWorld();
      for (const entry of log) await world.store.append(entry);
      await createSpendBook({ ...world, clock }).project();
      const bare = createMemoryLedgerStore();
      const stored = createSpendBook({ ...world, store: bare, clock });
      expect(sumsIn((await stored.read({ months: monthsOf(log) })).rows)).toEqual(sumsOf(log));
    });
    await fc.assert(property, { seed: 20_261_122, numRuns: repeated(60) });
  });

  it('projects a log longer than one chunk, and reads on from where it stopped', async () => {
    const world = newWorld();
    const { ledger } = bookKeeping(clock, world.store);
    const about = { reservationId: 'r1', questionKey: 'q', operation: 'reverseEmail', amountCredits: 2 };
    await ledger.apply({ kind: 'late', ...about, purpose: 'live', reason: 'match' });
    const first = await ledger.newest();
    for (let seq = 2; first && seq <= 1_250; seq += 1)
      await world.store.append({ ...first, seq, id: `r${seq}`, reservationId: `r${seq}` });
    let entriesRead = 0;
    const entries: typeof world.store.entries = async (query) => {
      const page = await world.store.entries(query);
      entriesRead += page.length;
      return page;
    };
    const book = createSpendBook({ ...world, store: { ...world.store, entries }, clock });
    await book.project();
    entriesRead = 0;
    await book.project();
    expect(entriesRead).toBe(0);
    const { rows, newest } = await book.read({ months: ['2026-10'] });
    expect(rows).toEqual([
      {
        day: '2026-10-20',
        operation: 'reverseEmail',
        purpose: 'live',
        outcome: 'late',
        credits: 2_500,
        count: 1_250,
        spans: [[1, 1_250]],
      },
    ]);
    expect(newest?.seq).toBe(1_250);
    expect(entriesRead).toBe(1);
  });

  it('stores what its schemas read', async () => {
    const world = newWorld();
    const written: [month: SpendMonth[], head: StoredStatus[]] = [[], []];
    const items: VersionedItems<SpendMonth> = {
      ...world.items,
      write: async ({ value }) => {
        written[0].push(value);
        return { value, version: 'stored' };
      },
    };
    const status: VersionedItems<StoredStatus> = {
      ...world.status,
      write: async ({ value }) => {
        written[1].push(value);
        return { value, version: 'stored' };
      },
    };
    const { ledger } = bookKeeping(handClock(), world.store);
    await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'no-match' });
    await createSpendBook({ ...world, items, status, clock }).project();
    expect(written[0].map((value) => spendMonthSchema.parse(value))).toEqual(written[0]);
    expect(written[1].map((value) => statusSchema.parse(value))).toEqual(written[1]);
    expect(written[1]).toMatchObject([{ spend: { lastSeq: 2, misses: { count: 1 } } }]);
    expect(() => spendMonthSchema.parse({ month: '2026-10', lastSeq: 1 })).toThrow();
  });

  it('knows when the vendor answered last, and how many look-ups in a row had no match', async () => {
    const world = newWorld();
    const { ledger } = bookKeeping(handClock(), world.store);
    const book = createSpendBook({ ...world, clock });
    expect(await book.answers()).toEqual({ lastSeq: 0 });
    for (const reason of ['no-match', 'no-match'])
      await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 3, reason });
    await book.project();
    expect(await book.answers()).toMatchObject({ answeredAtMs: expect.any(Number), misses: { count: 2 } });
    await charge(ledger, { operation: 'reverseEmail', purpose: 'live', credits: 3, reason: 'match' });
    await book.project();
    expect(await book.answers()).not.toHaveProperty('misses');
  });
});
