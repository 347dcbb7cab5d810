import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDynamoItems } from '#inside/versioned-items/store.dynamo.ts';
import { MINUTE_MS } from '#shared/kernel';
import {
  newRecordState,
  openWaiting,
  type RecordState,
  recordKind,
  type WaitingReason,
} from '#shared/records';
import { EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { TABLES } from '../../../../infra/local/tables.ts';
import { type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
beforeAll(async () => {
  standIns = await startStandIns();
});
afterAll(() => standIns.stop());
const run = (...words: string[]) => standIns.run(words);

async function waits(id: string, reason: WaitingReason) {
  const records = createDynamoItems<RecordState>({
    ...{ client: standIns.dynamo, tableName: TABLES.records, newId: randomUUID },
    ...{
      account: 'default',
      policy: { journalDays: 365, privacy: { keepDisclosures: 1095 } },
      kind: recordKind,
    },
  });
  const nowMs = standIns.clock.now();
  const opening = { runId: id, purpose: 'live', nowMs, untilMs: nowMs + 15 * MINUTE_MS, reason } as const;
  const value = openWaiting(newRecordState('contacts', id), opening);
  await records.write({ key: recordKind.key({ objectType: 'contacts', id }), value, expectedVersion: 0 });
}

describe('a HubSpot that refuses the access token', () => {
  const cause = 'HubSpot refuses the access token.';

  it('is a stop with its cause and what to do, and explain answers from our own records', async () => {
    for (const id of ['901', '902']) await waits(id, 'HUBSPOT_UNAUTHORIZED');
    await standIns.hubSpot('PUT', '/_sandbox/settings', {
      faults: [{ kind: 'status', status: 401, rate: 1 }],
    });
    const status = (await run('queue', 'status')).out;
    expect(status).toMatch(/2 records wait\. HubSpot refuses the access token\. Retried by \d/);
    expect(status).toContain(`Stopped: ${cause}`);
    expect(status).not.toContain('a time of their own');
    expect((await run('spend')).out).toContain(`Stopped: ${cause}`);
    expect((await run('queue', 'status', '--json')).json()).toMatchObject({
      waiting: { timed: [{ reason: 'HUBSPOT_UNAUTHORIZED', records: 2 }] },
      stops: [{ kind: 'hubspot-unavailable', records: 2 }],
    });
    const { code, out } = await run('explain', 'contacts/901');
    expect(code).toBe(0);
    expect(out).toMatch(/Waiting until .*\. HubSpot refuses the access token\./);
    expect(out).toContain(`${cause} This comes from our own records`);
    await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [] });
  });
});

describe('a person who has stopped spending', () => {
  it('is named with the reason and the end, and no time is told', async () => {
    await run('spend', 'stop', '--reason', 'budget review');
    const said = 'A person stopped spending. Reason: budget review.';
    const looked = await run('lookup', 'email', 'else@unknown-firm.com', '--yes');
    expect(looked.err).toContain(`${said} It lasts until a person runs: spend resume`);
    expect(looked.err).not.toContain('again after');
    const admitted = await run('queue', 'admit', '--yes');
    expect(admitted).toMatchObject({ code: EXIT.refused, err: expect.stringContaining('spend resume') });
    await run('spend', 'resume');
    expect((await run('queue', 'admit', '--yes')).code).toBe(EXIT.ok);
  });
});

async function statusNow(): Promise<Status> {
  const { out } = await run('queue', 'status', '--json');
  return JSON.parse(out);
}

describe('records that wait while a person has stopped spending', () => {
  it('wait for this person in every command, whatever they waited for before', async () => {
    await waits('911', 'queued');
    await waits('912', 'too-many-doubts');
    const before = (await run('explain', 'contacts/911')).out;
    expect(before).toContain('Waiting until its turn.');
    await run('spend', 'stop', '--reason', 'budget review');
    for (const id of ['911', '912'])
      expect((await run('explain', `contacts/${id}`)).out).toContain(
        'Waiting until a person resumes spending. A person stopped spending.',
      );
    const { waiting, stops } = await statusNow();
    expect(waiting.inTurn).toMatchObject([{ purpose: 'live', reason: 'stopped-by-person' }]);
    expect(waiting.timed).toContainEqual(expect.objectContaining({ reason: 'stopped-by-person' }));
    expect(waiting.timed).not.toContainEqual(expect.objectContaining({ reason: 'too-many-doubts' }));
    expect(stops).toContainEqual(
      expect.objectContaining({ kind: 'stopped-by-person', untilResumed: true, records: 2 }),
    );
    const { out } = await run('queue', 'status');
    expect(out).toContain('1 new lead has been waiting');
    expect(out.match(/until a person resumes spending/g)).toHaveLength(3);
    await run('spend', 'resume');
    const after = await statusNow();
    expect(after.waiting.timed).toContainEqual(expect.objectContaining({ reason: 'too-many-doubts' }));
  });
});

interface Status {
  readonly waiting: { readonly inTurn: readonly object[]; readonly timed: readonly object[] };
  readonly stops: readonly object[];
}

describe('a record that a person asks for while spending is stopped', () => {
  it('waits, and enrich says why and what ends the wait', async () => {
    const own = await startStandIns({}, { hasWorkers: false });
    const { dataService, create } = own;
    const record = `companies/${await create('companies', { domain: dataService.world.companies[3]?.domains[0] })}`;
    const alone = (...words: string[]) => own.run(words);
    await alone('setup');
    await alone('spend', 'stop', '--reason', 'budget review');
    const { out } = await alone('enrich', record, '--yes');
    expect(out).toContain('waiting until a person resumes spending, 0 credits. A person stopped spending.');
    expect(out).toContain('Reason: budget review.');
    expect((await alone('explain', record)).out).toContain('Waiting until a person resumes spending');
    await own.stop();
  });
});

describe('a record whose price is above the limit of the budget', () => {
  it('waits for a larger budget, and enrich and explain name no time', async () => {
    const own = await startStandIns({}, { hasWorkers: false });
    const { dataService, create } = own;
    const record = `companies/${await create('companies', { domain: dataService.world.companies[3]?.domains[0] })}`;
    const policyFile = join(own.path, 'policy.mjs');
    await writeFile(policyFile, "export default { version: 'no-credits', budgets: { perDay: 0 } };\n");
    const env = { POLICY: policyFile };
    const alone = (...words: string[]) => own.run(words, { env });
    await alone('setup');
    expect((await alone('enrich', record, '--yes')).out).toContain(
      'waiting until a person sets a larger budget, 0 credits.',
    );
    expect((await alone('explain', record)).out).toContain('Waiting until a person sets a larger budget.');
    await own.stop();
  });
});

describe('credits that a person books', () => {
  it('let a lookup test the balance at once, and end the stop', async () => {
    await standIns.setting({ creditBalance: 0 });
    const lookup = () => run('lookup', 'email', 'third@unknown-firm.com', '--yes');
    expect((await lookup()).err).toContain('has too few credits');
    expect((await run('spend')).out).toContain('has too few credits');
    await standIns.setting({ creditBalance: 1_000 });
    expect((await lookup()).err).toContain('has too few credits');
    expect((await run('ledger', 'grant', '--credits', '1000', '--note', 'invoice 4711')).code).toBe(0);
    expect((await run('spend')).out).not.toContain('has too few credits');
    expect((await lookup()).err).not.toContain('has too few credits');
  });
});

describe('a HubSpot that does not answer', () => {
  it('is no matter of scopes for policy check, and other commands end with 3', async () => {
    await standIns.hubSpot('PUT', '/_sandbox/settings', {
      faults: [{ kind: 'status', status: 503, rate: 1, path: '/crm/' }],
    });
    const { out } = await run('policy', 'check');
    expect(out).toContain("try again later, or see the setting of HubSpot's address");
    expect(out).not.toContain('give the app the scopes');
    const { code, err } = await run('setup');
    expect([code, err]).toEqual([3, expect.stringContaining('Try again later.')]);
    await standIns.hubSpot('PUT', '/_sandbox/settings', { faults: [] });
  });
});

describe('a record that waits for a budget', () => {
  it('waits until its turn, after the time at which the budget opens', async () => {
    await waits('921', 'budget');
    const { out } = await run('explain', 'contacts/921');
    expect(out).toMatch(
      /Waiting until its turn, after \d{4}-\S+Z\. The budget must have enough credits first\./,
    );
  });
});
