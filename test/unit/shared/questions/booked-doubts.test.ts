import { describe, expect, it } from 'vitest';
import { readBookedDoubts } from '#inside/questions/doubts.ts';
import { MAX_BOOKED_DOUBTS } from '#inside/questions/schemas.ts';
import { questionExpiry } from '#inside/questions/stored-answers.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { type QuestionItem, questionKey, questionKind, resolveDoubt } from '#shared/questions';
import { change } from '#shared/store';
import { verify } from '../../../harness/ledger-logs.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { digest, FOUND, LOST, NOON, openGateway, profile, type Wish } from './asking.ts';

const GRACE_MS = 5 * MINUTE_MS;
const KEY = questionKey(profile(), digest);

/** A doubt of three credits, a day later. */
async function doubtful(wish: Wish = {}) {
  const opened = openGateway({ answers: [LOST, FOUND], ...wish });
  await opened.ask(profile(['email']));
  await opened.clock.sleep(DAY_MS);
  const end = (charged: boolean, isAssumed?: boolean) =>
    resolveDoubt(
      opened.services,
      { questionKey: KEY, charged, note: 'a test', isAssumed },
      { graceMs: GRACE_MS },
    );
  const listed = async () => {
    const items = createMemoryItems<QuestionItem>({ indexPosition: questionKind.place });
    const value = await opened.item(profile());
    if (value) await items.write({ key: KEY, value, expectedVersion: undefined });
    return readBookedDoubts(items);
  };
  const problems = async () => (await verify(await opened.log(), { digest })).problems;
  return { ...opened, end, listed, problems };
}

/** The same after the policy has booked it as charged. */
async function booked(wish: Wish = {}) {
  const opened = await doubtful(wish);
  expect(await opened.end(true, true)).toEqual({ kind: 'resolved', credits: 3 });
  return opened;
}

it('a question whose list of booked doubts is full keeps the next doubt open, and loses no entry of the list', async () => {
  const { services, end, item } = await doubtful();
  const { clock, items } = services;
  const one = { purpose: 'live' as const, credits: 3, sentAtMs: NOON, bookedAtMs: NOON };
  const bookedDoubts = Array.from({ length: MAX_BOOKED_DOUBTS }, (_, index) => ({
    ...one,
    reservationId: `earlier-${index}`,
  }));
  await change(items, { key: questionKind.key(KEY), kind: 'question', clock }, (known) => ({
    value: known && { ...known, bookedDoubts },
  }));
  expect(await end(true, true)).toEqual({ kind: 'no-doubt' });
  expect(await item(profile())).toMatchObject({ bookedDoubts, attempt: { state: 'in-doubt' } });
});

describe('a doubt that the policy booked as charged', () => {
  it('stays listed with its credits, and its question does not expire', async () => {
    const { listed, item, services } = await booked();
    expect(await listed()).toMatchObject({
      doubts: [{ questionKey: KEY, operation: 'personProfile', purpose: 'live', credits: 3, sentAtMs: NOON }],
      credits: 3,
      isMore: false,
    });
    const stored = await item(profile());
    expect(stored && questionExpiry(stored)).toBeUndefined();
    expect(await services.ledger.openReservations()).toEqual([]);
  });

  it('is settled as charged by a person without a new entry', async () => {
    const { end, listed, kinds, item } = await booked();
    expect(await end(true)).toEqual({ kind: 'resolved', credits: 3 });
    expect((await listed()).doubts).toEqual([]);
    expect(await kinds()).toEqual(['pending 3', 'doubtful 3', 'posted 3']);
    expect(await end(true)).toEqual({ kind: 'no-doubt' });
    const stored = await item(profile());
    expect(stored && questionExpiry(stored)).toBeGreaterThan(NOON);
  });

  it('is settled as not charged by an adjustment that the replay accepts', async () => {
    const { end, listed, kinds, problems } = await booked();
    expect(await end(false)).toEqual({ kind: 'resolved', credits: 0, returnedCredits: 3 });
    expect((await listed()).doubts).toEqual([]);
    expect(await kinds()).toEqual(['pending 3', 'doubtful 3', 'posted 3', 'adjustment 3']);
    expect(await problems()).toEqual([]);
    expect(await end(false)).toEqual({ kind: 'no-doubt' });
  });

  it('is posted and then given back where a crash came before the policy posted it', async () => {
    let crashes = true;
    const { end, kinds, listed, problems } = await doubtful({
      onWrite: ({ bookedDoubts }) => {
        if (bookedDoubts && crashes) throw new Error('crash');
      },
    });
    await expect(end(true, true)).rejects.toThrow('crash');
    crashes = false;
    expect(await kinds()).toEqual(['pending 3', 'doubtful 3']);
    expect(await end(false)).toEqual({ kind: 'resolved', credits: 0, returnedCredits: 3 });
    expect((await listed()).doubts).toEqual([]);
    expect(await kinds()).toEqual(['pending 3', 'doubtful 3', 'posted 3', 'adjustment 3']);
    expect(await problems()).toEqual([]);
  });

  it('is settled without an entry for a later request that has no answer yet', async () => {
    const { end, ask, kinds, clock } = await booked();
    const asking = ask(profile());
    await clock.sleep(SECOND_MS);
    expect(await end(false)).toMatchObject({ returnedCredits: 3 });
    await asking;
    expect((await kinds()).slice(3)).toEqual(['pending 1', 'adjustment 3', 'posted 1']);
  });
});
