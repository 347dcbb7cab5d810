import { afterAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { newRecordState, openWaiting, recordKind } from '#shared/records';
import { openItems } from '#shared/store';
import { encodeMessage } from '#shared/work-queue';
import { EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { readCsv, startStandIns } from '../../../harness/console.ts';

const message = (id: string) =>
  encodeMessage({ objectType: 'contacts', id, purpose: 'live', eventKeys: [`event-${id}`] });
const standIns = await startStandIns();
for (const body of [...['1', '2', '3'].map(message), 'damaged'])
  await standIns.queues.live.dead.sendBodies([body]);
afterAll(() => standIns.stop());

const run = (...words: string[]) => standIns.run(['queue', ...words]);

describe('queue', () => {
  it('status counts what waits and what was given up on', async () => {
    const [header, urgent, live, bulk] = readCsv((await run('status', '--csv')).out);
    expect(header).toEqual(['queue', 'waiting', 'inHand', 'delayed', 'deadLetters']);
    expect(urgent).toEqual(['urgent', '0', '0', '0', '0']);
    expect(live).toEqual(['live', '0', '0', '0', '4']);
    expect(bulk).toEqual(['bulk', '0', '0', '0', '0']);
    expect((await run('status')).out).toContain('queue requeue');
    const { checks } = (await standIns.run(['doctor', '--json'])).json();
    const params = { count: 4, command: 'queue requeue' };
    expect(checks).toContainEqual(expect.objectContaining({ code: 'dead-letters', params }));
  });

  it('requeue asks first, because workers spend', async () => {
    const { code, err } = await run('requeue');
    expect(err).toMatch(/\b4\b/);
    expect(code).toBe(2);
  });

  it('requeue moves what can be read, and leaves what no worker would understand', async () => {
    const { code, json } = await run('requeue', '--yes', '--json');
    expect(json()).toEqual({ requeued: 3, unreadable: 1 });
    expect(code).toBe(0);
    expect((await run('requeue', '--yes')).code).toBe(EXIT.notFound);
    expect((await run('status', '--json')).json()).toMatchObject({
      queues: [{ queue: 'urgent' }, { queue: 'live', waiting: 3, deadLetters: 1 }, { queue: 'bulk' }],
    });
  });
});

it('queue admit asks with the worst price, and starts as many as are named, the newest first', async () => {
  const records = openItems({ store: standIns.store }, recordKind);
  const nowMs = standIns.clock.now() - DAY_MS;
  for (const [index, id] of ['901', '902', '903'].entries()) {
    const opening = { runId: id, purpose: 'import', untilMs: nowMs, reason: 'queued' } as const;
    const value = openWaiting(newRecordState('contacts', id), { ...opening, nowMs: nowMs + index });
    await records.write({
      key: recordKind.key({ objectType: 'contacts', id }),
      value,
      expectedVersion: undefined,
    });
  }
  expect((await run('status', '--json')).json()).toMatchObject({
    waiting: { inTurn: [{ purpose: 'import', records: 3 }] },
  });
  expect((await run('admit', '--purpose', 'import', '--limit', '2')).code).toBe(2);
  const done = await run('admit', '--purpose', 'import', '--limit', '2', '--yes', '--json');
  expect(done.json()).toMatchObject({ admitted: 2, worstCaseCredits: expect.any(Number) });
  expect(done.json()['worstCaseCredits']).toBeGreaterThan(0);
  const flags = await Promise.all(
    ['901', '902', '903'].map(
      async (id) =>
        (await records.read(recordKind.key({ objectType: 'contacts', id })))?.value.run?.overrulesReserve,
    ),
  );
  expect(flags).toEqual([undefined, true, true]);
  const none = await run('admit', '--purpose', 'refresh', '--json');
  expect([none.code, none.json()]).toMatchObject([EXIT.notFound, { admitted: 0 }]);
});
