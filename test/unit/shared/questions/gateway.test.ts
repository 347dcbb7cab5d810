import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { questionKey, timeToAnswerMs } from '#shared/questions';
import { declined, digest, FOUND, NO_MATCH, NOON, NOT_SENT, openGateway, profile } from './asking.ts';

/** One after the other. */
const WRITES = [
  'entry+head+rate-limiter+question+forgotten+breakers',
  'question',
  'disclosure+entry+head+forgotten',
];
const LOOK = 'question+breakers+head+rate-limiter+forgotten';

describe('asking a question', () => {
  it('costs three writes, each of them known', async () => {
    const { ask, ops } = openGateway();
    await ask(profile());
    expect(ops.writes).toEqual(WRITES);
  });

  it('costs one more where slots are scarce: when its own comes free again', async () => {
    const { ask, ops } = openGateway();
    await Promise.all(Array.from({ length: 19 }, (_, index) => ask(profile([], index + 1))));
    ops.writes.length = 0;
    await ask(profile());
    expect(ops.writes).toEqual(WRITES.toSpliced(2, 0, 'rate-limiter'));
  });

  it('costs no write when it is repeated, and one read', async () => {
    const { ask, ops, calls, worker, clock } = openGateway();
    const repeat = async (by: ReturnType<typeof worker>) => {
      ops.reads.length = 0;
      ops.writes.length = 0;
      expect(await by.ask(profile())).toMatchObject({ kind: 'found', credits: 0, askedAtMs: NOON });
      expect(ops.writes).toEqual([]);
      return [...ops.reads];
    };
    await ask(profile());
    const another = worker('another');
    expect(await repeat(another)).toEqual([LOOK]);
    expect(await repeat(another)).toEqual([LOOK]);
    await clock.sleep(MINUTE_MS);
    expect(await repeat(another)).toEqual([LOOK]);
    await clock.sleep(HOUR_MS);
    expect(await repeat(worker('late'))).toEqual([LOOK]);
    expect(calls).toHaveLength(1);
  });

  it('costs two reads where nobody else is asking', async () => {
    const { ask, ops } = openGateway();
    await ask(profile([], 1));
    ops.reads.length = 0;
    await ask(profile([], 2));
    expect(ops.reads).toEqual([LOOK, 'head+forgotten']);
  });
});

describe('askers of one question', () => {
  it('do not wait for another longer than an answer is of use', async () => {
    const { ask, worker, clock } = openGateway();
    const first = ask(profile());
    await clock.sleep(1);
    const notAfterMs = clock.now() + SECOND_MS;
    const hasty = await worker('another').ask(profile(), { notAfterMs });
    expect(hasty).toMatchObject({ kind: 'waiting', reason: 'asked-by-another' });
    expect(clock.now()).toBeLessThanOrEqual(notAfterMs);
    expect(await first).toMatchObject({ credits: 1 });
  });

  it('end at once where an earlier request is overdue: the sweep looks into it', async () => {
    const { ask, put, clock, calls } = openGateway();
    await put(profile(), { fencingToken: 1, attempt: sentUntil(NOON) });
    const result = await ask(profile());
    expect(result).toMatchObject({ kind: 'waiting', reason: 'asked-by-another' });
    expect('untilMs' in result && result.untilMs).toBeGreaterThan(NOON + 5 * MINUTE_MS);
    expect(clock.now()).toBe(NOON);
    expect(calls).toEqual([]);
  });

  it('send nothing whose answer could come too late to be of use, and leave nothing behind', async () => {
    const { ask, clock, kinds, item, services, calls } = openGateway();
    const needsMs = timeToAnswerMs(services.policy);
    const hasty = await ask(profile(), { notAfterMs: clock.now() + needsMs - 1 });
    expect(hasty).toMatchObject({ kind: 'waiting', reason: 'time-short' });
    expect([await kinds(), await item(profile()), calls]).toEqual([[], undefined, []]);
    expect(await ask(profile(), { notAfterMs: clock.now() + needsMs })).toMatchObject({ credits: 1 });
  });

  it('are told to stop while they wait, and leave nothing behind', async () => {
    const { ask, worker, clock, kinds } = openGateway();
    const stop = new AbortController();
    const first = ask(profile());
    await clock.sleep(1);
    const second = worker('another').ask(profile(), { signal: stop.signal });
    await clock.sleep(SECOND_MS);
    stop.abort();
    expect(await second).toMatchObject({ kind: 'waiting', reason: 'time-short' });
    expect(await first).toMatchObject({ kind: 'found' });
    expect(await kinds()).toEqual(['pending 1', 'posted 1']);
  });

  it('hold nothing while they wait for their slots: the one whose lane goes first asks', async () => {
    const { ask, worker, calls, kinds } = openGateway();
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(profile([], index + 1))));
    const before = (await kinds()).length;
    const bulk = worker('bulk').ask(profile(), { purpose: 'backfill' });
    const live = worker('live').ask(profile());
    const credits = (await Promise.all([bulk, live])).map((result) => 'credits' in result && result.credits);
    expect(credits).toEqual([0, 1]);
    expect(calls).toHaveLength(21);
    expect((await kinds()).slice(before)).toEqual(['pending 1', 'posted 1']);
  });
});

describe('what forbids asking', () => {
  it('is a budget: it says which, how much is left and when it resets, and writes nothing', async () => {
    const { ask, ops, calls } = openGateway({ budgets: { perDay: 5 } });
    expect(await ask(profile(['email', 'phone']))).toMatchObject({
      kind: 'waiting',
      reason: 'budget',
      untilMs: NOON + 12 * HOUR_MS,
      params: { limitCredits: 5, leftCredits: 5, keptCredits: 0, neededCredits: 6 },
      isAboveLimit: true,
    });
    expect(ops.writes).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('is no slot in time: nothing is reserved, and nothing held', async () => {
    const { ask, kinds, item, clock } = openGateway();
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(profile([], index))));
    const result = await ask(profile([], 20), { notAfterMs: clock.now() + 45 * SECOND_MS });
    expect(result).toMatchObject({ kind: 'waiting', reason: 'rate-limit' });
    expect(await kinds()).toHaveLength(40);
    expect(await item(profile([], 20))).toBeUndefined();
  });

  it('is a time that runs short while waiting for a slot: nothing is left half done', async () => {
    const { ask, kinds, item, clock, limiter } = openGateway();
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(profile([], index))));
    const stop = new AbortController();
    const asking = ask(profile([], 20), { signal: stop.signal });
    await clock.sleep(SECOND_MS);
    stop.abort();
    expect(await asking).toMatchObject({ kind: 'waiting', reason: 'time-short' });
    expect(await kinds()).toHaveLength(40);
    expect(await item(profile([], 20))).toBeUndefined();
    const rateLimiter = await limiter();
    expect(rateLimiter?.waiters).toEqual([]);
  });
});

it('a question about somebody who is forgotten never asks about a person who was forgotten while it waited for the rate', async () => {
  const { ask, services, clock, calls } = openGateway({ answers: [FOUND] });
  const wish = { lane: 'live', requestTimeoutMs: 1_000, notAfterMs: clock.now() } as const;
  for (let id = 0; id < 20; id += 1) await services.rateLimiter.acquire({ ...wish, id: `${id}` });
  const asked = ask(profile());
  await clock.sleep(SECOND_MS);
  await services.suppressionList.add([questionKey(profile(), digest)]);
  expect(await asked).toMatchObject({ kind: 'forgotten' });
  expect(calls).toHaveLength(0);
});

describe('an answer without a charge', () => {
  it.each([
    ['bad-request', 'rejected'],
    ['key-refused', 'waiting'],
    ['out-of-credits', 'waiting'],
  ] as const)('of %s leaves nothing booked and ends as %s', async (why, kind) => {
    const { ask, kinds, item } = openGateway({ answers: [declined(why)] });
    expect(await ask(profile())).toMatchObject({ kind });
    expect(await kinds()).toEqual(['pending 1', 'voided 1']);
    expect((await item(profile()))?.attempt).toMatchObject({ state: 'completed', charge: { credits: 0 } });
  });

  it('of a 429 is followed by another attempt as soon as the gate is open again', async () => {
    const { ask, kinds, calls, clock } = openGateway({ answers: [declined('rate-limited'), FOUND] });
    expect(await ask(profile())).toMatchObject({ kind: 'found', credits: 1 });
    expect(await kinds()).toEqual(['pending 1', 'voided 1', 'pending 1', 'posted 1']);
    expect(calls).toHaveLength(2);
    expect(clock.now() - NOON).toBeGreaterThan(MINUTE_MS);
  });

  it('of a request that never left gives its slot back at once', async () => {
    const { ask, kinds, limiter } = openGateway({ answers: [NOT_SENT] });
    expect(await ask(profile())).toMatchObject({ kind: 'waiting', reason: 'service-unreachable' });
    expect(await kinds()).toEqual(['pending 1', 'voided 1']);
    expect((await limiter())?.slots).toEqual([]);
  });

  it('is what a worker comes to that stood still between the mark and the request', async () => {
    const opened = openGateway({
      onWrite: async ({ attempt }) => {
        if (attempt?.state === 'in-flight') await opened.clock.sleep(6 * SECOND_MS);
      },
    });
    expect(await opened.ask(profile())).toMatchObject({ kind: 'waiting', reason: 'service-unreachable' });
    expect(opened.calls).toEqual([]);
    expect(await opened.kinds()).toEqual(['pending 1', 'voided 1']);
  });
});

describe('a question without a match', () => {
  it('is paid for as assumed, and not asked again for longer after each miss', async () => {
    const { ask, clock, calls } = openGateway({ answers: [NO_MATCH] });
    for (const days of [30, 90, 180, 180]) {
      expect(await ask(profile(['email']))).toMatchObject({ kind: 'no-match', credits: 3 });
      await clock.sleep(days * DAY_MS - MINUTE_MS);
      expect(await ask(profile(['email']))).toMatchObject({ kind: 'no-match', credits: 0 });
      await clock.sleep(MINUTE_MS);
    }
    expect(calls).toHaveLength(4);
  });

  it('begins anew to count its misses once there was a match', async () => {
    const { ask, clock } = openGateway({ answers: [NO_MATCH, FOUND, NO_MATCH] });
    await ask(profile());
    await clock.sleep(31 * DAY_MS);
    await ask(profile());
    await clock.sleep(91 * DAY_MS);
    const missed = await ask(profile());
    expect(missed.kind === 'no-match' && missed.expiresAtMs - missed.askedAtMs).toBe(30 * DAY_MS);
  });
});

/** As another worker has sent it, a minute and more before its deadline. */
function sentUntil(deadlineAtMs: number) {
  return {
    fencingToken: 1,
    state: 'in-flight' as const,
    purpose: 'live' as const,
    options: ['phone' as const],
    reservationId: 'a-question:1:a',
    worstCaseCredits: 4,
    sentAtMs: deadlineAtMs - MINUTE_MS,
    deadlineAtMs,
  };
}
