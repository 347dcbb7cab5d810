import { describe, expect, it } from 'vitest';
import { createOwnPortal } from '#inside/records/own-portal.ts';
import type { StoredStatus } from '#inside/records/schemas.ts';
import { UpstreamError } from '#shared/kernel';
import { accountMismatch } from '#shared/records';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

/** An installation whose processes share one store; each has a token of its own. */
function installation() {
  const status = createMemoryItems<StoredStatus>();
  let asked = 0;
  const start = (tokenOf: string, configured?: string) =>
    createOwnPortal({
      status,
      configured,
      clock: createManualClock({ startMs: 0, autoAdvance: true }),
      account: async () => {
        asked += 1;
        if (tokenOf === '')
          throw new UpstreamError({ code: 'HTTP_TIMEOUT', message: 'late', retryable: true });
        return { portalId: tokenOf };
      },
    });
  return { status, start, asked: () => asked };
}

const PINNED = { portalId: '1', by: 'pin' };

describe('the own portal', () => {
  it('is learned once, from the token, and then known to every process', async () => {
    const { start, asked } = installation();
    const first = start('1');
    expect(await first.known()).toBeUndefined();
    expect([await first.learn(), await first.learn(), await start('2').learn()]).toEqual([
      PINNED,
      PINNED,
      PINNED,
    ]);
    expect(await start('').known()).toEqual(PINNED);
    expect(asked()).toBe(1);
  });

  it('is the same for two that learn it in one moment with different tokens', async () => {
    const { start } = installation();
    const [one, other] = await Promise.all([start('1').learn(), start('2').learn()]);
    expect(one).toEqual(other);
  });

  it('is what the setting says, which asks nobody and pins nothing', async () => {
    const { start, asked } = installation();
    expect(await start('1', '7').learn()).toEqual({ portalId: '7', by: 'setting' });
    expect(asked()).toBe(0);
    await start('1').learn();
    expect(await start('1', '7').known()).toEqual({ portalId: '7', by: 'setting' });
    expect(await start('1').known()).toEqual(PINNED);
  });
});

it.each(['pin', 'setting'] as const)('a token of another portal is told where ours is from a %s', (by) => {
  const told = accountMismatch({ portalId: '1001', by }, { portalId: '2002' });
  for (const text of [told?.seen, told?.advice]) expect(text).toMatch(/1001.*2002/);
  expect(accountMismatch({ portalId: '1001', by }, { portalId: '1001' })).toBeUndefined();
});
