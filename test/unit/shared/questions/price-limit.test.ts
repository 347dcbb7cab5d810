import { expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { type Commitment, type NotJoined, resolveDoubt } from '#shared/questions';
import { LOST, openGateway, profile } from './asking.ts';

/** An asker that may spend so much, and what it has stored before it asked. */
function limited(leftCredits: number, mayGoOn = true) {
  const committed: Commitment[] = [];
  const join = async (attempt: Commitment): Promise<'joined' | NotJoined> => {
    committed.push(attempt);
    return mayGoOn ? 'joined' : 'claim-lost';
  };
  return { committed, limit: { leftCredits, join } };
}

it('asks nothing that may cost more than the limit, and writes nothing', async () => {
  const { ask, calls, ops } = openGateway();
  const { committed, limit } = limited(2);
  expect(await ask(profile(['email']), limit)).toMatchObject({ kind: 'too-dear' });
  expect([calls, ops.writes, committed]).toEqual([[], [], []]);
});

it('sends nothing for an asker that has lost its claim', async () => {
  const { ask, calls, kinds, gateway } = openGateway();
  const { committed, limit } = limited(3, false);
  expect(await ask(profile(['email']), limit)).toMatchObject({ kind: 'waiting' });
  expect([calls.length, await kinds()]).toEqual([0, []]);
  expect(await Promise.all(committed.slice(0, 1).map((attempt) => gateway.chargeOf(attempt)))).toEqual([0]);
});

it.each([
  [true, 3],
  [false, 0],
])('does not know the charge of a doubt until it is resolved: charged %s', async (charged, credits) => {
  const { ask, gateway, clock, services } = openGateway({ answers: [LOST] });
  const { committed, limit } = limited(3);
  expect(await ask(profile(['email']), limit)).toMatchObject({ kind: 'doubt' });
  const [attempt] = committed;
  if (!attempt) throw new Error('Nothing was committed to.');
  expect(await gateway.chargeOf(attempt)).toBeUndefined();
  await clock.sleep(DAY_MS);
  const { questionKey } = attempt;
  await resolveDoubt(services, { questionKey, charged, note: 'looked up' }, { graceMs: 0 });
  expect(await gateway.chargeOf(attempt)).toBe(credits);
});
