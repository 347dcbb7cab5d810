import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import {
  newRecordState,
  openWaiting,
  recordKind,
  WAIT_END_TEXTS,
  type WaitingReason,
  waitingWords,
} from '#shared/records';
import { openItems } from '#shared/store';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns();
afterAll(() => standIns.stop());
const run = (...words: string[]) => standIns.run(words);

async function waits(id: string, reason: WaitingReason) {
  const records = openItems({ store: standIns.store }, recordKind);
  const nowMs = standIns.clock.now();
  const opening = { runId: id, purpose: 'live', nowMs, untilMs: nowMs + 15 * MINUTE_MS, reason } as const;
  const value = openWaiting(newRecordState('contacts', id), opening);
  await records.write({
    key: recordKind.key({ objectType: 'contacts', id }),
    value,
    expectedVersion: undefined,
  });
}

const waitOf = async (id: string) => (await run('explain', `contacts/${id}`, '--json')).json()['waiting'];

const { why } = waitingWords('HUBSPOT_UNAUTHORIZED');

it('a HubSpot that refuses the access token is a stop with its cause, and explain answers from our own records', async () => {
  for (const id of ['901', '902']) await waits(id, 'HUBSPOT_UNAUTHORIZED');
  await standIns.hubSpot('PUT', '/_sandbox/settings', {
    faults: [{ kind: 'status', status: 401, rate: 1 }],
  });
  const stops = [{ kind: 'hubspot-unavailable', records: 2 }];
  expect((await run('queue', 'status', '--json')).json()).toMatchObject({
    waiting: { timed: [{ reason: 'HUBSPOT_UNAUTHORIZED', records: 2 }] },
    stops,
  });
  expect((await run('spend', '--json')).json()).toMatchObject({ stops });
  for (const words of [['queue', 'status'], ['spend'], ['explain', 'contacts/901']])
    expect((await run(...words)).out).toContain(why);
  const { code, json } = await run('explain', 'contacts/901', '--json');
  expect(code).toBe(0);
  expect(json()).toMatchObject({
    waiting: { reason: 'HUBSPOT_UNAUTHORIZED', detail: why },
    hubSpotFailed: 'HUBSPOT_UNAUTHORIZED',
  });
  await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [] });
});

it('enrich waits for the workers as long as it is told to', async () => {
  await run('setup');
  const [company] = await standIns.records('company');
  const id = await standIns.create('companies', { domain: company?.['primary_domain'] });
  const startMs = standIns.clock.now();
  const { code, json } = await run('enrich', `companies/${id}`, '--wait', '7', '--yes', '--json');
  expect([code, json()]).toMatchObject([3, { error: { code: 'under-way' } }]);
  expect((standIns.clock.now() - startMs) / SECOND_MS).toBeCloseTo(7, 0);
});

it('a failure of HubSpot shows its stack trace with --verbose alone', async () => {
  await standIns.hubSpot('PUT', '/_sandbox/settings', {
    faults: [{ kind: 'status', status: 400, rate: 1 }],
  });
  const [short, long] = [await run('setup'), await run('setup', '--verbose')];
  await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [] });
  expect([short.code, long.code]).toEqual([1, 1]);
  expect([short.err, long.err].map((err) => /^ +at /m.test(err))).toEqual([false, true]);
});

async function statusNow(): Promise<Status> {
  const { out } = await run('queue', 'status', '--json');
  return JSON.parse(out);
}

it('records that wait while a person has stopped spending wait for this person in every command, whatever they waited for before', async () => {
  await waits('911', 'queued');
  await waits('912', 'too-many-doubts');
  expect(await waitOf('911')).toMatchObject({ reason: 'queued', endsWith: 'own-turn' });
  await run('spend', 'stop', '--reason', 'budget review');
  for (const id of ['911', '912'])
    expect(await waitOf(id)).toMatchObject({ reason: 'stopped-by-person', endsWith: 'resumed' });
  const { waiting, stops } = await statusNow();
  expect(waiting.inTurn).toMatchObject([{ purpose: 'live', reason: 'stopped-by-person' }]);
  expect(waiting.timed).toContainEqual(expect.objectContaining({ reason: 'stopped-by-person' }));
  expect(waiting.timed).not.toContainEqual(expect.objectContaining({ reason: 'too-many-doubts' }));
  expect(stops).toContainEqual(
    expect.objectContaining({ kind: 'stopped-by-person', untilResumed: true, records: 2 }),
  );
  const { out } = await run('queue', 'status');
  expect(out.split(WAIT_END_TEXTS.resumed)).toHaveLength(4);
  await run('spend', 'resume');
  const after = await statusNow();
  expect(after.waiting.timed).toContainEqual(expect.objectContaining({ reason: 'too-many-doubts' }));
});

interface Status {
  readonly waiting: { readonly inTurn: readonly object[]; readonly timed: readonly object[] };
  readonly stops: readonly object[];
}

it('a record whose price is above the limit of the budget waits for a larger budget, and enrich and explain name no time', async () => {
  const own = await startStandIns({}, { hasWorkers: false });
  const { dataService, create } = own;
  const record = `companies/${await create('companies', { domain: dataService.world.companies[3]?.domains[0] })}`;
  const policyFile = join(own.path, 'policy.mjs');
  await writeFile(policyFile, "export default { version: 'no-credits', budgets: { perDay: 0 } };\n");
  const env = { POLICY: policyFile };
  const alone = (...words: string[]) => own.run(words, { env });
  await alone('setup');
  const wait = { endsWith: 'larger-budget' };
  expect((await alone('enrich', record, '--yes', '--json')).json()).toMatchObject({
    outcome: 'waiting',
    credits: 0,
    code: 'budget',
    ...wait,
  });
  expect((await alone('explain', record, '--json')).json()).toMatchObject({
    waiting: { reason: 'budget', ...wait },
  });
  expect((await alone('explain', record)).out).toContain(`${WAIT_END_TEXTS['larger-budget']}.`);
  await own.stop();
});

it('credits that a person books let a lookup test the balance at once, and end the stop', async () => {
  await standIns.setting({ creditBalance: 0 });
  const lookup = async () => {
    const told = (await run('lookup', 'email', 'third@unknown-firm.com', '--yes', '--json')).json();
    return (told['error'] as { code: string } | undefined)?.code;
  };
  const stops = async () => (await run('spend', '--json')).json()['stops'];
  const stop = expect.objectContaining({ kind: 'out-of-credits' });
  expect(await lookup()).toBe('out-of-credits');
  expect(await stops()).toContainEqual(stop);
  await standIns.setting({ creditBalance: 1_000 });
  expect(await lookup()).toBe('out-of-credits');
  expect((await run('ledger', 'grant', '--credits', '1000', '--note', 'invoice 4711')).code).toBe(0);
  expect(await stops()).not.toContainEqual(stop);
  expect(await lookup()).not.toBe('out-of-credits');
});
