import { describe, expect, it } from 'vitest';
import { SECOND_MS } from '#shared/kernel';
import { openGateway, profile } from './asking.ts';

describe('a charge that is known never becomes a doubt', () => {
  it('although the store of everything fails for two seconds just then', async () => {
    let failsUntilMs = 0;
    const gateway = openGateway({
      onWrite: ({ attempt }) => {
        if (attempt?.state === 'completed' && failsUntilMs === 0)
          failsUntilMs = gateway.clock.now() + 2 * SECOND_MS;
        if (gateway.clock.now() < failsUntilMs) throw new Error('The store has a hiccup.');
      },
    });
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, index) => gateway.worker(`worker-${index}`).ask(profile([], index))),
    );
    expect(asked.map(({ kind }) => kind)).toEqual(Array(20).fill('found'));
    expect((await gateway.kinds()).filter((kind) => kind.startsWith('posted'))).toHaveLength(20);
    expect(gateway.calls).toHaveLength(20);
  });

  it('nor is a question left marked, because the store kept its mark and said that it had failed', async () => {
    let failures = 1;
    const gateway = openGateway({
      onWrite: ({ attempt }) => {
        if (attempt?.state !== 'in-flight' || failures === 0) return;
        failures -= 1;
        throw new Error('The store has a hiccup.');
      },
    });
    const asked = await gateway.worker('struck').ask(profile());
    expect(asked).toMatchObject({ kind: 'found', credits: 1 });
    expect(gateway.calls).toHaveLength(1);
    expect(await gateway.kinds()).toEqual(['pending 1', 'posted 1']);
  });

  it('and is booked before the question is asked anew, should its own worker not have come to that', async () => {
    const gateway = openGateway();
    const { services, ask } = gateway.worker('struck');
    const { apply } = services.ledger;
    Object.assign(services.ledger, {
      apply: (...given: Parameters<typeof apply>) =>
        given[0].kind === 'post' ? Promise.reject(new Error('The store has a hiccup.')) : apply(...given),
    });
    await expect(ask(profile())).rejects.toThrow('hiccup');
    expect(await gateway.worker('another').ask(profile(['email']))).toMatchObject({
      kind: 'found',
      credits: 3,
    });
    expect(await gateway.kinds()).toEqual(['pending 1', 'posted 1', 'pending 3', 'posted 3']);
  });
});

it('an answer that is booked is not booked or handed on again before its question is asked anew, while others have open requests', async () => {
  const opsOfNextAsking = async (hasOther: boolean) => {
    const { ask, services, ops, kinds } = openGateway();
    await ask(profile());
    const other = { reservationId: 'other:1', questionKey: 'other', operation: 'personProfile' } as const;
    if (hasOther)
      await services.ledger.apply({ kind: 'reserve', ...other, purpose: 'live', amountCredits: 1 });
    for (const list of [ops.reads, ops.writes]) list.length = 0;
    expect(await ask(profile(['email']))).toMatchObject({ kind: 'found', credits: 3 });
    expect((await kinds()).slice(-2)).toEqual(['pending 3', 'posted 3']);
    return ops;
  };
  expect(await opsOfNextAsking(true)).toEqual(await opsOfNextAsking(false));
});
