import { describe, expect, it } from 'vitest';
import { BUDGET_TAKEN, requestKind } from '#shared/enrichment';
import type { Send } from '#shared/http';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { verb } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { liveOn, settleDown, settled, verify, worldWithContact } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

interface Execution {
  readonly callbackId: string;
  readonly recordId: string;
  readonly state: string;
  readonly outputs: Readonly<Record<string, string>>;
}

async function executionsOf(world: World): Promise<readonly Execution[]> {
  return (await verb<{ executions: Execution[] }>(world, 'executions')).executions;
}

async function oldContacts(world: World, count: number): Promise<RecordName[]> {
  const records: RecordName[] = [];
  for (let index = 0; index < count; index += 1) records.push(await contact(world, index));
  await settleDown(world);
  expect(world.charged()).toBe(0);
  return records;
}

function enrol(world: World, records: readonly RecordName[]) {
  return verb(world, 'enrol', { objectType: 'contacts', ids: records.map(({ id }) => id) });
}

describe("the workflow's action", () => {
  it('tells each of twenty contacts how it ended, one in doubt and one over the budget among them', async () => {
    // Three credits each: nineteen of them.
    const world = await createWorld({
      agedMs: DAY_MS,
      policy: { budgets: { perDay: 1_000, purposes: { workflow: { perDay: 57 } } } },
    });
    const records = await oldContacts(world, 20);
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await enrol(world, records);
    expect(world.queues.bulk.size()).toBe(20);
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    const executions = await executionsOf(world);
    expect(executions.map(({ state }) => state)).toEqual(Array.from({ length: 20 }, () => 'completed'));
    const outcomes = Object.groupBy(executions, ({ outputs }) => outputs['outcome'] ?? '');
    expect(
      Object.entries(outcomes)
        .map(([outcome, of]) => [outcome, of?.length])
        .toSorted(),
    ).toEqual([
      ['enriched', 18],
      ['failed', 1],
      ['waiting', 1],
    ]);
    expect(outcomes['enriched']?.every(({ outputs }) => outputs['credits'] === '3')).toBe(true);
    expect(outcomes['waiting']?.[0]?.outputs).toMatchObject({ credits: '0' });
    expect(outcomes['failed']?.[0]?.outputs['reason']).not.toBe('');
    await verify(world);
  });

  it('is told in batches, and once', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const records = await oldContacts(world, 6);
    await enrol(world, records);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const executions = await executionsOf(world);
    expect(executions.every(({ outputs }) => outputs['outcome'] === 'enriched')).toBe(true);
    const spent = world.charged();
    for (const { callbackId } of executions) await verb(world, 'execute', { callbackId });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBe(spent);
    const { requests } = await verb<{ requests: { path: string; count: number }[] }>(world, 'requests');
    const completions = requests.filter(({ path }) => path.includes('callbacks'));
    expect(completions.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(6);
    expect(await world.services.requests.list({ partition: requestKind.partition('actions') })).toEqual([]);
  });

  it('waits behind a person, and asks about what is fresh for nothing', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const records = await oldContacts(world, 1);
    await enrol(world, records);
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    const spent = world.charged();
    await enrol(world, records);
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world)).map(({ outputs }) => outputs['credits'])).toEqual([
      String(spent),
      '0',
    ]);
    expect(world.charged()).toBe(spent);
  });

  it.each([0, 2, 62])(
    'reports a charge once where a second action comes %i seconds after the first',
    async (seconds) => {
      const world = await createWorld({ agedMs: DAY_MS });
      const records = await oldContacts(world, 1);
      await enrol(world, records);
      const second = world.clock.sleep(seconds * SECOND_MS).then(() => enrol(world, records));
      if (seconds === 0) await second;
      await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
      await second;
      const [first, later] = await executionsOf(world);
      expect(world.charged()).toBe(3);
      expect(first?.outputs).toMatchObject({ outcome: 'enriched', credits: '3' });
      expect(later?.outputs).toMatchObject({ outcome: expect.any(String), credits: '0' });
      const matched = explanationText(because('matched', { operation: 'personProfile' }));
      const reason = later?.outputs['reason'];
      // It says first who reports the credits.
      expect(reason).not.toBe(matched);
      if (seconds === 0) expect(reason).toMatch(/ 3 /);
      if (seconds === 0) expect(reason?.endsWith(matched)).toBe(true);
    },
  );

  it('reports what was bought for a record that HubSpot does not take, to one action', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const records = await oldContacts(world, 1);
    await world.portal.change({ scopes: ['crm.objects.contacts.read', 'automation'] });
    await enrol(world, records);
    await enrol(world, records);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBe(3);
    const executions = await executionsOf(world);
    expect(executions.map(({ outputs }) => [outputs['outcome'], outputs['credits']])).toEqual([
      ['waiting', '3'],
      ['waiting', '0'],
    ]);
  });

  it('goes on at once where the budget will not come to its record today', async () => {
    const purposes = { workflow: { perDay: 6 } };
    const world = await createWorld({ agedMs: DAY_MS, policy: { budgets: { perDay: 1_000, purposes } } });
    for (const record of await oldContacts(world, 40)) {
      await enrol(world, [record]);
      await settleDown(world);
      await world.clock.sleep(1);
    }
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const executions = await executionsOf(world);
    expect(executions.map(({ state }) => state)).toEqual(Array.from({ length: 40 }, () => 'completed'));
    const waiting = executions.filter(({ outputs }) => outputs['outcome'] === 'waiting');
    expect(waiting).toHaveLength(38);
    const reasons = waiting.map(({ outputs }) => outputs['reason'] ?? '');
    expect(reasons.every((reason) => reason === BUDGET_TAKEN || / 6 /.test(reason))).toBe(true);
  });

  it('is told of a record of which very much happens in between', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const [record] = await oldContacts(world, 1);
    if (!record) throw new Error('One was made.');
    await enrol(world, [record]);
    for (let nth = 0; nth < 60; nth += 1)
      await world.portal.edit(record, { email: `no${nth}@firm-${nth}.com` });
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world)).map(({ state }) => state)).toEqual(['completed']);
  });

  it('of which HubSpot refuses the end of one tells those of the others', async () => {
    let refused = 0;
    const through =
      (send: Send): Send =>
      async (request) => {
        const isRefused = request.url.includes('/callbacks/') && request.body?.includes('-2"');
        if (!isRefused) return send(request);
        refused += 1;
        return { ...(await send({ ...request, body: 'no JSON' })), status: 400 };
      };
    const world = await createWorld({ agedMs: DAY_MS, through });
    await enrol(world, await oldContacts(world, 3));
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const states = (await executionsOf(world)).map(({ state }) => state);
    expect([states, refused]).toEqual([['completed', 'held', 'completed'], 2]);
    expect(await world.services.requests.list({ partition: requestKind.partition('actions') })).toEqual([]);
  });

  it('leaves a property empty that a person emptied', async () => {
    const { world, record } = await worldWithContact();
    await settled(world, world.portal.edit(record, { jobtitle: '', city: '' }));
    await enrol(world, [record]);
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world))[0]?.state).toBe('completed');
    const { jobtitle = '', city = '' } = await world.portal.properties(record);
    expect([jobtitle, city]).toEqual(['', '']);
    // Somebody who asks for the record wants it filled.
    await enrol(world, [record]);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ jobtitle: expect.any(String), city: expect.any(String) },
    });
  });

  it('is told of a record that was merged away or whose person was forgotten', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const [first, second, third] = await oldContacts(world, 3);
    if (!first || !second || !third) throw new Error('Three were made.');
    await enrol(world, [first, third]);
    await settled(world, world.portal.erase(third));
    await world.portal.merge(second, first);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world)).map(({ state }) => state)).toEqual(['completed', 'completed']);
  });
});
