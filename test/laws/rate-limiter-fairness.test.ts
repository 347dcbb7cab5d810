import { expect, it } from 'vitest';
import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import { MINUTE_MS, SECOND_MS, seededRandom } from '#shared/kernel';
import { createRateLimiter } from '#shared/rate-limiter';
import { VENDORS } from '#shared/vendor';
import { createManualClock } from '../harness/manual-clock.ts';
import { createMemoryItems } from '../harness/memory-items.ts';
import { type Counting, createRateServer, headersOf } from './rate-limiter-servers.ts';
import { LIMIT, reportOf } from './rate-limiter-world.ts';

/** Of a function's five minutes, what its records may wait for their slots. */
const PATIENCE_MS = 250 * SECOND_MS;
const LATENCY_MS = 3 * SECOND_MS;
const BATCH = 10;
const MINUTES = 15;

/**
 * Two workers that always have a batch in hand and begin the next when all of it is done. What a worker timed itself
 * it may use two seconds before the other: left alone, one would take every slot while the other's batch waits.
 */
async function crew(counting: Counting) {
  const startMs = Date.UTC(2026, 10, 21, 12);
  const clock = createManualClock({ startMs, autoAdvance: true });
  const items = createMemoryItems<RateLimiterState>();
  const random = seededRandom(3);
  const server = createRateServer(counting, LIMIT, random);
  const counts = { granted: 0, late: 0 };
  const work = async (worker: string) => {
    const rateLimiter = createRateLimiter({ vendor: VENDORS[0], items, worker, clock, random });
    for (let batch = 0; clock.now() < startMs + MINUTES * MINUTE_MS; batch += 1) {
      const dueMs = clock.now() + PATIENCE_MS;
      const ask = async (nth: number) => {
        const id = `${worker}-${batch}-${nth}`;
        const request = {
          id,
          lane: 'bulk' as const,
          requestTimeoutMs: 30 * SECOND_MS,
          notAfterMs: dueMs,
          dueMs,
        };
        const slot = await rateLimiter.acquire(request);
        counts[slot.kind === 'granted' ? 'granted' : 'late'] += 1;
        if (slot.kind !== 'granted') return;
        const nowMs = clock.now();
        const sentAt = clock.monotonic();
        const verdict = server.judge(nowMs);
        await clock.sleep(LATENCY_MS);
        const report = reportOf(headersOf(verdict, { nowMs, tellsTime: true }), { clock, sentAt });
        await rateLimiter.complete({ id, report, limited: !verdict.admitted });
      };
      await Promise.all(Array.from({ length: BATCH }, (_, nth) => ask(nth)));
    }
  };
  await Promise.all(['one', 'two'].map(work));
  return counts;
}

it.each(['fixed', 'fixed from first'] as const)(
  'of two workers with batches of bulk work neither waits in vain for its slots, counted by %s',
  async (counting) => {
    const { granted, late } = await crew(counting);
    expect(late).toBe(0);
    expect(granted).toBeGreaterThan((MINUTES - 2) * LIMIT);
  },
);
