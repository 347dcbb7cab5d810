import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '#inside/questions/schemas.ts';
import { parsePolicy } from '#shared/field-policy';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { systemClock as clock, systemIds } from '#shared/kernel/adapters';
import { type Question, questionKey, questionKind } from '#shared/questions';
import { arrive, defer, newRecordState, type RecordState, recordKind } from '#shared/records';
import type { SqliteStore } from '#shared/store/adapters';
import { encodeMessage } from '#shared/work-queue';
import { openServices, openTransport } from '../../../../infra/cli/connection/open-services.ts';
import { processIds } from '../../../../infra/local/announce.ts';
import { endWaits, takeOver } from '../../../../infra/local/take-over.ts';
import { standInVendors, type Vendors } from '../../../../infra/local/vendors.ts';
import { openMemoryStore } from '../../../harness/memory-items.ts';

const QUESTION: Question = {
  operation: 'reverseEmail',
  by: { email: 'lee.nobody@unknown-firm.com' },
  options: [],
};
/** Ids of a process that lives, as a command beside this one. */
const OTHERS = `p${process.ppid.toString(36)}-`;
const ofAnotherProcess = () => `${OTHERS}${systemIds()}`;
const RECORD = { objectType: 'contacts', id: '7' } as const;

let store: SqliteStore;
let vendors: Vendors;
let opened: ReturnType<typeof openServices>;
beforeEach(async () => {
  store = openMemoryStore();
  const keep = async () => undefined;
  vendors = await standInVendors(
    {},
    { clock: clock, webhookUrl: 'http://127.0.0.1:9/hubspot', policy: { whom: {} }, keep },
  );
  opened = openServices({
    store,
    clock: clock,
    newId: systemIds,
    transport: openTransport(clock),
    installationSecret: 'a secret of the test',
    policy: parsePolicy({ budgets: { perDay: 200 } }),
    dataService: vendors.dataService,
    hubSpot: vendors.hubSpot,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
});
afterEach(async () => {
  await opened.close();
  await vendors.close();
  store.close();
});

/** As a worker left the question a moment ago. */
async function leave(attempt: Partial<Attempt> | undefined, newId = processIds): Promise<void> {
  const { questions, digest } = opened.services;
  const key = questionKey(QUESTION, digest);
  const nowMs = clock.now();
  const reservationId = `${key}:${nowMs}:${newId().slice(0, 13)}`;
  const whole: Attempt = {
    fencingToken: nowMs,
    state: 'in-flight',
    purpose: 'live',
    options: [],
    reservationId,
    worstCaseCredits: 1,
    sentAtMs: nowMs,
    deadlineAtMs: nowMs + MINUTE_MS,
    ...attempt,
  };
  const value = { key, operation: QUESTION.operation, fencingToken: nowMs, attempt: whole };
  if (attempt) await questions.items.write({ key: questionKind.key(key), value, expectedVersion: undefined });
  const about = { questionKey: key, operation: QUESTION.operation, purpose: 'live' as const };
  await questions.ledger.apply({ kind: 'reserve', reservationId, amountCredits: 1, ...about });
}

/** Has not the time to wait for another. */
const ask = () =>
  opened.services.gateway.ask({
    question: QUESTION,
    purpose: 'live',
    notAfterMs: clock.now() + 40 * SECOND_MS,
  });
const takeOverNow = (queued: readonly string[] = []) =>
  takeOver({ services: opened.services, queues: { takeBack: async () => queued } });
const booked = async () => (await opened.services.ledger.newest())?.totals.lifetime;

describe('a question that a killed process had in hand', () => {
  it('and had reserved for is asked at once', async () => {
    await leave(undefined);
    await takeOverNow();
    expect(await ask()).toMatchObject({ kind: 'no-match', credits: 1 });
    expect(await booked()).toMatchObject({ posted: 1, pending: 0, doubtful: 0 });
  });

  it('and had sent is a doubt at once, and is not sent again', async () => {
    await leave({});
    await takeOverNow();
    expect(await booked()).toMatchObject({ posted: 0, pending: 0, doubtful: 1 });
    expect(await ask()).toMatchObject({ kind: 'doubt' });
  });

  it('and whose verdict was stored is booked', async () => {
    await leave({ state: 'completed', charge: { credits: 1, reason: 'match' } });
    await takeOverNow();
    expect(await booked()).toMatchObject({ posted: 1, pending: 0, doubtful: 0 });
  });
});

it.each([
  ['reserved', undefined],
  ['sent', {}],
])('a question that a command has %s is left to it', async (_, attempt) => {
  await leave(attempt, ofAnotherProcess);
  await takeOverNow();
  expect(await booked()).toMatchObject({ posted: 0, pending: 1, doubtful: 0 });
});

type Change = (state: RecordState) => RecordState;

/** A record that a worker claimed a moment ago, for the five minutes that it may live. */
async function leaveRecord(change: Change = (state) => state, owner = processIds()): Promise<void> {
  const nowMs = clock.now();
  const arrival = { purpose: 'live', eventKeys: ['an event'], owner, runId: 'run', nowMs } as const;
  const claim = arrive(newRecordState(RECORD.objectType, RECORD.id), {
    ...arrival,
    claimMs: 5 * MINUTE_MS,
  });
  if (claim.kind !== 'claimed') throw new Error('Nobody else has it.');
  await opened.services.records.write({
    key: recordKind.key(RECORD),
    value: change(claim.state),
    expectedVersion: undefined,
  });
}

const waits = (reason: string): Change => {
  const later = { reason, untilMs: clock.now() + 5 * MINUTE_MS, credits: 0, learned: {}, nowMs: clock.now() };
  return (state) => defer(state, later);
};

async function recordNow() {
  const state = (await opened.services.records.read(recordKind.key(RECORD)))?.value;
  const { claim, waiting, run } = state ?? {};
  const isDue = waiting && waiting.untilMs <= clock.now();
  return { claim, reason: waiting?.reason, isDue, lapses: run?.lapses };
}

const QUEUED = [
  { queue: 'live' as const, body: encodeMessage({ ...RECORD, purpose: 'live', eventKeys: ['an event'] }) },
];

describe('a record that a killed process had in hand', () => {
  it('is due at once where no message will come for it', async () => {
    await leaveRecord();
    await takeOverNow();
    expect(await recordNow()).toEqual({ claim: undefined, reason: 'worker-gone', isDue: true, lapses: 1 });
  });

  it('is left to the message that the queue still has', async () => {
    await leaveRecord();
    await takeOverNow(QUEUED.map(({ body }) => body));
    expect(await recordNow()).toEqual({ claim: undefined, reason: 'worker-gone', isDue: false, lapses: 1 });
  });

  it.each(['worker-gone', 'admitted'])('and whose message (%s) was lost is due at once', async (reason) => {
    await leaveRecord(waits(reason));
    await takeOverNow();
    expect(await recordNow()).toMatchObject({ isDue: true });
  });

  it('and that waits for another reason waits on', async () => {
    await leaveRecord(waits('budget'));
    await takeOverNow();
    expect(await recordNow()).toMatchObject({ reason: 'budget', isDue: false });
  });

  it('keeps its claim where a command has it', async () => {
    await leaveRecord(undefined, ofAnotherProcess());
    await takeOverNow();
    expect((await recordNow()).claim).toMatchObject({ owner: expect.stringMatching(OTHERS) });
  });
});

it('the end of a reason to wait makes those due that wait for it, and no others', async () => {
  const records = { records: opened.services.records, clock };
  await leaveRecord(waits('key-refused'));
  await endWaits(records, ['budget']);
  expect(await recordNow()).toMatchObject({ isDue: false });
  await endWaits(records, ['wrong-address', 'key-refused']);
  expect(await recordNow()).toMatchObject({ reason: 'key-refused', isDue: true });
});
