import { expect, it } from 'vitest';
import { verifyLog } from '#inside/credit-ledger/verify.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#inside/kernel/clock.ts';
import { finishEndedDoubts } from '#inside/questions/abandoned.ts';
import { questionPlace, readOpenDoubts, readUnbooked } from '#inside/questions/booked-doubts.ts';
import { resolveDoubt } from '#inside/questions/resolve-doubt.ts';
import type { QuestionItem } from '#inside/questions/schemas.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import { digest, FOUND, LOST, openGateway, profile } from './asking.ts';

const GRACE = { graceMs: 15 * MINUTE_MS };

/** A doubt of three credits that has left the ledger's list, since a question was asked a day later. */
async function withOldDoubt() {
  const items = createMemoryItems<QuestionItem>({ indexPosition: questionPlace });
  const opened = openGateway({ answers: [LOST, FOUND] });
  const services = { ...opened.services, items };
  const { gateway } = opened;
  expect(await opened.ask(profile(['email']))).toMatchObject({ kind: 'doubt' });
  await opened.clock.sleep(DAY_MS);
  await opened.ask(profile([], 1));
  const stored = await opened.item(profile());
  if (!stored) throw new Error('The question was asked.');
  await items.write({ key: stored.key, value: stored, expectedVersion: 0 });
  return { ...opened, services, gateway, items, questionKey: stored.key };
}

async function problems(opened: Awaited<ReturnType<typeof withOldDoubt>>) {
  const log = await opened.stores.ledger.entries({ account: 'default', fromSeq: 1, limit: 100 });
  const stream = async function* () {
    yield* log;
  };
  return (await verifyLog(stream(), { digest })).problems;
}

it('leaves the newest entry after a day, and still counts: in its number, its credits and its month', async () => {
  const { services, items } = await withOldDoubt();
  const newest = await services.ledger.newest();
  expect(newest?.open).toEqual([]);
  expect(newest?.totals).toMatchObject({ oldDoubts: { count: 1, credits: 3 }, lifetime: { doubtful: 3 } });
  expect(await readOpenDoubts(items)).toMatchObject([{ credits: 3, operation: 'personProfile' }]);
});

it.each([
  [true, 'posted 3', 3],
  [false, 'voided 3', 0],
])('is resolved by its question, once: charged %s', async (charged, entry, credits) => {
  const opened = await withOldDoubt();
  const { services, questionKey, items } = opened;
  const resolution = { questionKey, charged, note: 'seen on the bill' };
  expect(await resolveDoubt(services, resolution, GRACE)).toEqual({ kind: 'resolved', credits });
  expect(await resolveDoubt(services, resolution, GRACE)).toEqual({ kind: 'no-doubt' });
  expect((await opened.kinds()).at(-1)).toBe(entry);
  const { totals } = (await services.ledger.newest()) ?? {};
  expect(totals?.oldDoubts).toBeUndefined();
  expect(totals?.lifetime.doubtful).toBe(0);
  expect([await readOpenDoubts(items), await readUnbooked(items)]).toEqual([[], []]);
  expect(await problems(opened)).toEqual([]);
});

it.each([
  ['before the ledger', 0],
  ['after the ledger', 1],
])('a crash %s leaves its end to the sweep, which books it once', async (_, appended) => {
  const opened = await withOldDoubt();
  const { services, questionKey, items, clock } = opened;
  let left = appended;
  const apply: typeof services.ledger.apply = async (command) => {
    if (left === 0) throw new Error('crashed');
    left -= 1;
    await services.ledger.apply(command);
    throw new Error('crashed');
  };
  const crashing = { ...services, ledger: { ...services.ledger, apply } };
  const resolution = { questionKey, charged: true, note: 'seen on the bill' };
  await expect(resolveDoubt(crashing, resolution, GRACE)).rejects.toThrow('crashed');
  expect(await readUnbooked(items)).toHaveLength(1);
  await clock.sleep(HOUR_MS);
  expect(await finishEndedDoubts({ ...services, items })).toBe(1);
  expect(await finishEndedDoubts({ ...services, items })).toBe(0);
  expect((await opened.kinds()).filter((kind) => kind === 'posted 3')).toHaveLength(1);
  expect(await problems(opened)).toEqual([]);
});

it('a question whose old doubt has ended books it before it is asked again', async () => {
  const opened = await withOldDoubt();
  const { services, questionKey, stores } = opened;
  const apply = async () => {
    throw new Error('crashed');
  };
  const items = stores.items;
  const crashing = { ...services, items, ledger: { ...services.ledger, apply } };
  const resolution = { questionKey, charged: true, note: 'seen on the bill' };
  await expect(resolveDoubt(crashing, resolution, GRACE)).rejects.toThrow('crashed');
  expect(await opened.ask(profile())).toMatchObject({ kind: 'found' });
  expect((await opened.kinds()).slice(-3)).toEqual(['posted 3', 'pending 1', 'posted 1']);
  expect(await problems(opened)).toEqual([]);
});
