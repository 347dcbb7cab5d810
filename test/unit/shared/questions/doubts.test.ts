import { describe, expect, it } from 'vitest';
import { recordOutcome } from '#inside/questions/purchase.ts';
import type { Attempt } from '#inside/questions/schemas.ts';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { finishAbandoned, questionKey, resolveDoubt } from '#shared/questions';
import type { CallResult, QuestionOption } from '#shared/vendor';
import { digest, FOUND, LOST, NOON, type Opened, openGateway, profile } from './asking.ts';

const GRACE_MS = 5 * MINUTE_MS;
/** When a request that was sent at noon can no longer be answered: the stall, the timeout. */
const DEADLINE_MS = NOON + 35 * SECOND_MS;
const KEY = questionKey(profile(), digest);

function resolve({ services }: Opened, charged: boolean) {
  return resolveDoubt(
    services,
    { questionKey: KEY, charged, note: 'seen on the bill' },
    { graceMs: GRACE_MS },
  );
}

async function withDoubt() {
  const opened = openGateway({ answers: [LOST, FOUND] });
  await opened.ask(profile(['email']));
  return opened;
}

/** A worker that sent the question at noon and has not been heard of since. */
async function withSilentAsker(opened = openGateway()) {
  const reservationId = `${KEY}:1`;
  const options = ['email' as const];
  const attempt: Attempt = {
    fencingToken: 1,
    state: 'in-flight',
    purpose: 'live',
    options,
    reservationId,
    worstCaseCredits: 3,
    sentAtMs: NOON,
    deadlineAtMs: DEADLINE_MS,
  };
  await opened.put(profile(), { fencingToken: 1, attempt });
  const about = { questionKey: KEY, operation: 'personProfile', purpose: 'live' as const };
  await opened.services.ledger.apply({ kind: 'reserve', reservationId, amountCredits: 3, ...about });
  const stored = await opened.item(profile());
  if (!stored) throw new Error('The item was put.');
  const item = { ...stored, attempt };
  /** It comes back after all, with the item in mind as it left it. */
  const comeBack = (result: CallResult, asked: readonly QuestionOption[] = options) => {
    const request = { question: profile(asked), purpose: 'live' as const, notAfterMs: NOON, key: KEY };
    return recordOutcome(opened.worker('silent').services, {
      kind: 'sent',
      request,
      item,
      written: { expectedVersion: 'as it was sent' },
      slotId: 'a',
      result,
    });
  };
  return { ...opened, comeBack };
}

it('a request with an unknown outcome stops nothing by itself, however many there are', async () => {
  const { ask, services } = openGateway();
  for (let index = 0; index < 40; index += 1) {
    const about = {
      questionKey: 'q',
      operation: 'personProfile',
      purpose: 'live',
      amountCredits: 1,
    } as const;
    await services.ledger.apply({ kind: 'reserve', reservationId: `q:${index}`, ...about });
    await services.ledger.apply({ kind: 'doubt', reservationId: `q:${index}`, reason: 'no-answer' });
  }
  expect(await ask(profile())).toMatchObject({ kind: 'found' });
});

describe('resolving a doubt', () => {
  it('has to wait until the asker can no longer come back', async () => {
    const opened = await withDoubt();
    const { deadlineAtMs = 0 } = (await opened.item(profile()))?.attempt ?? {};
    expect(await resolve(opened, true)).toEqual({ kind: 'too-early', notBeforeMs: deadlineAtMs + GRACE_MS });
    await opened.clock.sleep(deadlineAtMs + GRACE_MS - opened.clock.now());
    expect(await resolve(opened, true)).toEqual({ kind: 'resolved', credits: 3 });
  });

  it.each([
    [true, 'posted 3', 3],
    [false, 'voided 3', 0],
  ])('as charged: %s books it as %s; the question may be asked again', async (charged, entry, credits) => {
    const opened = await withDoubt();
    await opened.clock.sleep(10 * MINUTE_MS);
    expect(await resolve(opened, charged)).toEqual({ kind: 'resolved', credits });
    expect(await opened.kinds()).toEqual(['pending 3', 'doubtful 3', entry]);
    expect(await opened.ask(profile())).toMatchObject({ kind: 'found', credits: 1 });
    expect(await resolve(opened, charged)).toEqual({ kind: 'no-doubt' });
  });
});

describe('an asker that is silent for too long', () => {
  const sweep = ({ services }: Opened) => finishAbandoned(services, { graceMs: GRACE_MS });
  const left = { voided: 0, booked: 0, doubts: 0, left: 0 };

  it('is left alone while it may still come back, and is a doubt from then on', async () => {
    const opened = await withSilentAsker();
    await opened.clock.sleep(DEADLINE_MS + GRACE_MS - NOON - 1);
    expect(await sweep(opened)).toEqual({ ...left, left: 1 });
    await opened.clock.sleep(1);
    expect(await sweep(opened)).toEqual({ ...left, doubts: 1 });
    expect(await sweep(opened)).toEqual({ ...left, left: 1 });
    expect(await opened.kinds()).toEqual(['pending 3', 'doubtful 3']);
  });

  it('books what it proves even where whoever resolved the doubt fell over before booking', async () => {
    const opened = await withSilentAsker();
    const item = await opened.item(profile());
    if (!item?.attempt) throw new Error('The item was put.');
    const charge = { credits: 0, reason: 'resolved: seen on the bill' };
    await opened.put(profile(), {
      fencingToken: 2,
      attempt: { ...item.attempt, state: 'completed', charge },
    });
    await opened.comeBack(FOUND);
    await sweep(opened);
    expect(await opened.kinds()).toEqual(['pending 3', 'posted 3']);
  });

  it.each([
    ['nothing more where the charge was assumed rightly', 'email', false, []],
    ['an adjustment where less was charged', undefined, false, ['adjustment 2']],
    [
      'an adjustment where a person had taken the charge back',
      'email',
      true,
      ['adjustment 3', 'adjustment -3'],
    ],
  ] as const)(
    'settles a booked doubt with its answer, and books %s',
    async (_, option, isTakenBack, booked) => {
      const opened = await withSilentAsker();
      await opened.clock.sleep(DEADLINE_MS + GRACE_MS - NOON);
      await sweep(opened);
      const assumed = { questionKey: KEY, charged: true, note: 'by policy', isAssumed: true };
      await resolveDoubt(opened.services, assumed, { graceMs: GRACE_MS });
      expect((await opened.item(profile()))?.bookedDoubts).toMatchObject([{ credits: 3 }]);
      if (isTakenBack) await resolve(opened, false);
      await opened.comeBack(FOUND, option ? [option] : []);
      expect((await opened.kinds()).slice(3)).toEqual(booked);
      expect((await opened.item(profile()))?.bookedDoubts).toBeUndefined();
    },
  );

  it('keeps its answer, and the next asker that was about to send finds it there', async () => {
    const opened = await withSilentAsker(openGateway());
    await opened.clock.sleep(DEADLINE_MS + GRACE_MS - NOON);
    await sweep(opened);
    await resolve(opened, false);
    const startedAtMs = opened.clock.now();
    const isWanted = async () => {
      await opened.comeBack(FOUND);
      return true;
    };
    expect(await opened.ask(profile(['email']), { isWanted })).toMatchObject({ kind: 'found', credits: 0 });
    expect(opened.clock.now() - startedAtMs).toBeLessThan(SECOND_MS);
    expect((await opened.kinds()).slice(-2)).toEqual(['voided 3', 'late 3']);
    expect((await opened.limiter())?.slots).toEqual([]);
    expect(opened.calls).toEqual([]);
  });
});

it('a reservation whose question is lost is voided', async () => {
  const opened = await withSilentAsker(openGateway());
  opened.expireQuestions();
  await opened.clock.sleep(GRACE_MS);
  const { services } = opened.worker('sweep');
  expect(await finishAbandoned(services, { graceMs: GRACE_MS })).toMatchObject({ voided: 1 });
  expect((await opened.kinds()).at(-1)).toBe('voided 3');
});
