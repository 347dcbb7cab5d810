import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { breakersKind, createBreakers } from '#shared/questions';
import { openItems } from '#shared/store';
import { declined, FOUND, type KeyCheck, LOST, NOON, openGateway, profile } from './asking.ts';

function keyCheck(answers: ('accepted' | 'refused' | 'unknown')[]): KeyCheck & { checks: () => number } {
  let checks = 0;
  return {
    checks: () => checks,
    checkKey: async () => {
      const kind = answers[checks] ?? 'accepted';
      checks += 1;
      return { kind, report: undefined, limited: false };
    },
  };
}

describe('the breakers of all workers', () => {
  it('stop every worker after a 401, until one free check is accepted', async () => {
    const check = keyCheck(['refused', 'unknown', 'accepted']);
    const { ask, worker, clock, calls } = openGateway({
      answers: [declined('key-refused'), FOUND],
      keyCheck: check,
    });
    await ask(profile([], 0));
    const other = worker('another');
    expect(await other.ask(profile([], 1))).toMatchObject({ kind: 'waiting', reason: 'key-refused' });
    for (let round = 0; round < 2; round += 1) {
      await clock.sleep(5 * MINUTE_MS);
      const both = await Promise.all([ask(profile([], 1)), other.ask(profile([], 2))]);
      expect(both.map((result) => result.kind === 'waiting' && result.reason)).toEqual([
        'key-refused',
        'key-refused',
      ]);
      expect(check.checks()).toBe(round + 1);
    }
    await clock.sleep(5 * MINUTE_MS);
    expect(await other.ask(profile([], 1))).toMatchObject({ kind: 'found' });
    expect(calls).toHaveLength(2);
  });

  it('close when a free check that somebody else made has accepted their key, and no other', async () => {
    const { ask, worker, services } = openGateway({ answers: [declined('key-refused'), FOUND] });
    await ask(profile([], 0));
    await worker('with a new key', { keyHash: 'b' }).services.breakers.acceptKey();
    expect(await ask(profile([], 1))).toMatchObject({ kind: 'waiting', reason: 'key-refused' });
    await services.breakers.acceptKey();
    expect(await ask(profile([], 1))).toMatchObject({ kind: 'found' });
  });

  it('take a slot of the rate for the free check too', async () => {
    const { ask, clock, limiter } = openGateway({ answers: [declined('key-refused'), FOUND] });
    await ask(profile([], 0));
    await clock.sleep(5 * MINUTE_MS);
    await ask(profile([], 1));
    const slots = (await limiter())?.slots ?? [];
    expect(slots.map(({ id }) => id.split(':')[0])).toContain('key-check');
  });

  it('let the one question that tries do so after it has waited for the rate', async () => {
    const { ask, clock, calls, services } = openGateway({ answers: [FOUND, LOST, LOST, LOST, FOUND] });
    for (const index of [4, 0, 1, 2]) await ask(profile([], index));
    await clock.sleep(5 * MINUTE_MS);
    const wish = { lane: 'live', requestTimeoutMs: 1_000, notAfterMs: clock.now() } as const;
    for (let id = 0; id < 19; id += 1) await services.rateLimiter.acquire({ ...wish, id: `${id}` });
    const from = clock.now();
    expect(await ask(profile([], 3))).toMatchObject({ kind: 'found' });
    expect(clock.now() - from).toBeGreaterThan(MINUTE_MS);
    expect(calls).toHaveLength(5);
  });

  it('lose nothing when two workers learn at once', async () => {
    const { worker, services } = openGateway();
    const lost = { result: LOST, priceCredits: 1, chargedCredits: 0, sentAtMs: NOON };
    const workers = [0, 1, 2].map((index) => worker(`worker ${index}`));
    await Promise.all(workers.map(({ services: { breakers } }) => breakers.learn(lost)));
    expect((await services.breakers.read()).doubtsInRow).toBe(3);
  });

  it('give a probe back that was not sent', async () => {
    const { ask, clock, calls } = openGateway({ answers: [LOST, LOST, LOST, FOUND] });
    for (const index of [0, 1, 2]) await ask(profile([], index));
    await clock.sleep(5 * MINUTE_MS);
    const withdrawn = await ask(profile(['email', 'phone'], 3), { join: async () => 'unwanted' });
    expect(withdrawn).toEqual({ kind: 'withdrawn' });
    await clock.sleep(MINUTE_MS);
    expect(await ask(profile([], 4))).toMatchObject({ kind: 'found' });
    expect(calls).toHaveLength(4);
  });
});

describe('the breakers of two vendors', () => {
  const openBoth = () => {
    const { services, clock, store } = openGateway({ answers: [] });
    const at = (mark: string) =>
      createBreakers({
        mark,
        items: openItems({ store }, breakersKind),
        vendor: keyCheck([]),
        rateLimiter: services.rateLimiter,
        keyHash: mark,
        clock,
        requestTimeoutMs: MINUTE_MS,
        testCreditsPerHour: 10,
      });
    return [at(''), at('@other')] as const;
  };
  const refused = { result: declined('key-refused'), priceCredits: 1, chargedCredits: 0, sentAtMs: NOON };

  it('open one by one', async () => {
    const [first, other] = openBoth();
    await other.learn(refused);
    expect(await first.mayStillPass(1, undefined)).toBe(true);
    expect(await other.mayStillPass(1, undefined)).toBe(false);
  });

  it("are all open during a person's stop, and closed after it, whoever stops", async () => {
    const both = openBoth();
    const pass = () => Promise.all(both.flatMap((each) => [each.mayStillPass(1, undefined), each.pass(1)]));
    for (const by of both) {
      await by.stop({ reason: 'a test' });
      const stopped = { kind: 'refused', reason: 'stopped-by-person' };
      expect(await pass()).toMatchObject([false, stopped, false, stopped]);
      await by.resume();
      expect(await pass()).toMatchObject([true, { kind: 'pass' }, true, { kind: 'pass' }]);
    }
  });
});
