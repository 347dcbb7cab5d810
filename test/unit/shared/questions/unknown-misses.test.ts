import { expect, it } from 'vitest';
import type { AskRequest } from '#inside/questions/gateway-services.ts';
import type { VendorFacts } from '#inside/questions/schemas.ts';
import { type AskResult, createMissCount, vendorFactsKind } from '#shared/questions';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

function openCount() {
  const items = createMemoryItems<VendorFacts>();
  const clock = createManualClock({ startMs: 1_000, autoAdvance: true });
  const store = { writes: 0, isDown: false };
  const misses = createMissCount({
    mark: '',
    items: {
      ...items,
      write: async (write) => {
        if (store.isDown) throw new Error('down');
        store.writes += 1;
        return items.write(write);
      },
    },
    clock,
  });
  const result: AskResult = { kind: 'no-match', questionKey: 'q', credits: 1, askedAtMs: 0, expiresAtMs: 1 };
  const gateway = misses.counting({
    ask: async () => result,
    look: async () => ({ stored: undefined, breakers: { doubtsInRow: 0 } }),
    chargeOf: async () => undefined,
    stored: async () => undefined,
    obstacle: async () => undefined,
  });
  return {
    store,
    misses,
    ask: (words?: string) => {
      if (words !== undefined) misses.see(words);
      return gateway.ask({} as AskRequest);
    },
    stored: async () => (await items.read(vendorFactsKind.key('')))?.value.unknownMisses,
  };
}

it('a hundred misses are seven writes, and at least half of them are told', async () => {
  const { ask, store, stored } = openCount();
  await ask();
  expect(store.writes).toBe(0);
  for (let nth = 0; nth < 100; nth += 1) await ask('Nothing known');
  expect(store.writes).toBe(7);
  expect(await stored()).toMatchObject({ count: 64, words: ['Nothing known'] });
});

it('the newest sentences are kept', async () => {
  const { ask, stored } = openCount();
  for (let nth = 1; nth <= 64; nth += 1) await ask(`sentence ${Math.ceil(nth / 8)}`);
  const { words = [] } = (await stored()) ?? {};
  expect(words).toHaveLength(5);
  expect(words).not.toContain('sentence 1');
});

it('a store that fails keeps no answer back, and is told later', async () => {
  const { ask, store, stored } = openCount();
  store.isDown = true;
  expect(await ask('Nothing known')).toMatchObject({ kind: 'no-match' });
  store.isDown = false;
  await ask();
  expect(await stored()).toMatchObject({ count: 1 });
});
