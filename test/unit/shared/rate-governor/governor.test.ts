import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../shared/kernel/random.ts';
import { createRateGovernor } from '../../../../shared/rate-governor/governor.ts';
import { governorStateSchema, storedGovernorSchema } from '../../../../shared/rate-governor/schemas.ts';
import {
  type GovernorState,
  INITIAL_STATE,
  UNREADABLE_STATE,
} from '../../../../shared/rate-governor/state.ts';
import { createMemoryItems } from '../../../../shared/versioned-items/store.memory.ts';
import type { VersionedItems } from '../../../../shared/versioned-items/store.ts';
import { createManualClock } from '../../../builders/manual-clock.ts';
import { answered, MINUTE, report, SECOND, T0, taken, usedUp } from './states.ts';

const KEY = 'governor#workspace';

async function openGovernor(
  before?: GovernorState,
  items: VersionedItems<GovernorState> = createMemoryItems(),
) {
  const clock = createManualClock({ startMs: T0 + 20 * SECOND, autoAdvance: true });
  const worker = 'one';
  const governor = createRateGovernor({
    items,
    account: 'workspace',
    worker,
    clock,
    random: seededRandom(1),
  });
  if (before) await items.write({ key: KEY, value: before, expectedVersion: 0 });
  const take = (
    id: string,
    { untilMs = 5 * MINUTE, signal }: { untilMs?: number; signal?: AbortSignal } = {},
  ) =>
    governor.take({
      id,
      lane: 'live',
      requestTimeoutMs: 30 * SECOND,
      notAfterMs: T0 + untilMs,
      ...(signal && { signal }),
    });
  return { governor, clock, items, take, state: async () => (await items.read(KEY))?.value };
}

describe('the governor', () => {
  it('waits until a slot is free', async () => {
    const { take, clock } = await openGovernor(usedUp(20, { latencyMs: 100 }));
    expect(await take('next')).toEqual({ kind: 'granted' });
    expect(clock.now() - T0).toBeGreaterThanOrEqual(MINUTE + 100);
    expect(clock.now() - T0).toBeLessThan(MINUTE + 200);
  });

  it('says when one may be free where that is too late, and waits no longer for it', async () => {
    const { take, clock, state } = await openGovernor(usedUp(20, { latencyMs: 100 }));
    expect(await take('next', { untilMs: 50 * SECOND })).toEqual({
      kind: 'later',
      atMs: T0 + MINUTE + 100,
    });
    expect(clock.now()).toBe(T0 + 20 * SECOND);
    expect((await state())?.liveWaiters).toEqual([]);
  });

  it('stops waiting when the caller gives up', async () => {
    const { take, clock } = await openGovernor(usedUp(20, { latencyMs: 100 }));
    const caller = new AbortController();
    void clock.sleep(SECOND).then(() => caller.abort(new Error('Time is short.')));
    await expect(take('next', { signal: caller.signal })).rejects.toThrow('Time is short.');
    expect(clock.now()).toBe(T0 + 21 * SECOND);
  });

  it('shares its state with all workers: a slot taken, answered or given back is so for everybody', async () => {
    const items = createMemoryItems<GovernorState>();
    const [here, there] = [await openGovernor(undefined, items), await openGovernor(undefined, items)];
    await here.take('a');
    await there.take('b');
    await there.governor.giveBack('b');
    await here.governor.answered({ id: 'a', limited: false });
    expect(await there.state()).toMatchObject({ slots: [{ id: 'a', answered: true }] });
  });

  it('changes the state it read: a lost race is run again', async () => {
    const items = createMemoryItems<GovernorState>();
    let rivals = 3;
    const contended: VersionedItems<GovernorState> = {
      read: items.read,
      write: async (change) => {
        const stored = await items.read(KEY);
        const value = taken(stored?.value ?? INITIAL_STATE, `rival-${rivals}`, 20 * SECOND);
        if (rivals-- > 0) await items.write({ key: KEY, value, expectedVersion: stored?.version ?? 0 });
        return items.write(change);
      },
    };
    const { take, state } = await openGovernor(undefined, contended);
    expect(await take('ours')).toEqual({ kind: 'granted' });
    expect((await state())?.slots.map(({ id }) => id)).toEqual(['rival-3', 'rival-2', 'rival-1', 'ours']);
  });

  it('gives up as a failure of the outside when every race is lost', async () => {
    const items: VersionedItems<GovernorState> = {
      ...createMemoryItems<GovernorState>(),
      write: async () => 'conflict',
    };
    const { take } = await openGovernor(undefined, items);
    await expect(take('a')).rejects.toMatchObject({ code: 'GOVERNOR_CONTENDED', retryable: true });
  });
});

describe('a stored state that cannot be read', () => {
  /** Two minutes and the workers' skew. */
  const SHUT = 122 * SECOND;

  it('shuts the gate until nothing that may be under way counts any more, and says so to everybody', async () => {
    const { take, clock, state } = await openGovernor(UNREADABLE_STATE);
    const startMs = clock.now();
    expect(await take('first')).toEqual({ kind: 'granted' });
    expect(clock.now() - startMs).toBeGreaterThanOrEqual(SHUT);
    expect(clock.now() - startMs).toBeLessThan(SHUT + SECOND);
    expect(await state()).toMatchObject({ mode: 'proof', slots: [{ id: 'first' }] });
    expect(await state()).not.toHaveProperty('unreadable');
  });

  it('is replaced by the first bulk waiter, too: the gate opens once for all', async () => {
    const { governor, clock, state } = await openGovernor(UNREADABLE_STATE);
    const notAfterMs = clock.now() + SECOND;
    const bulk = { id: 'bulk', lane: 'bulk', requestTimeoutMs: 30 * SECOND, notAfterMs } as const;
    const atMs = clock.now() + SHUT;
    expect(await governor.take(bulk)).toEqual({ kind: 'later', atMs });
    await clock.sleep(30 * SECOND);
    expect(await governor.take({ ...bulk, notAfterMs: clock.now() })).toEqual({ kind: 'later', atMs });
    expect((await state())?.closed?.untilMs).toBe(atMs);
  });
});

describe('the stored state', () => {
  it('is parsed as it was, whatever was learned', () => {
    let state = usedUp(3, { latencyMs: 100 });
    state = taken(state, 'a', 5 * SECOND, { lane: 'bulk' });
    state = answered(state, 'a', 6 * SECOND, {
      limited: true,
      report: report(0, MINUTE, { atMs: 6 * SECOND, limit: 20.5 }),
    });
    const stored: unknown = JSON.parse(JSON.stringify(state));
    expect(governorStateSchema.parse(stored)).toEqual(state);
    expect(governorStateSchema.parse(INITIAL_STATE)).toEqual(INITIAL_STATE);
    const hurried = [{ id: 'a', untilMs: T0, lane: 'bulk', dueMs: T0 }];
    expect(governorStateSchema.parse({ ...INITIAL_STATE, hurried })).toHaveProperty('hurried', hurried);
  });

  it.each([
    { limit: 0 },
    { slots: [{ id: 'a' }] },
    { mode: 'guess' },
    { window: { left: 3 } },
    { liveWaiters: undefined },
  ])('is refused when it is damaged, and read as unknown: %j', (damage) => {
    const damaged = { ...INITIAL_STATE, ...damage };
    expect(() => governorStateSchema.parse(damaged)).toThrow();
    expect(storedGovernorSchema.parse(damaged)).toEqual(UNREADABLE_STATE);
  });

  it('is the same for reading and writing where it is whole', () => {
    const state = usedUp(3, { latencyMs: 100 });
    expect(storedGovernorSchema.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
});
