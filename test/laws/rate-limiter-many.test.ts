import { expect, it } from 'vitest';
import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import { INITIAL_STATE } from '#inside/rate-limiter/state.ts';
import { MINUTE_MS, SECOND_MS, seededRandom } from '#shared/kernel';
import { createRateLimiter, rateLimiterKind } from '#shared/rate-limiter';
import { createManualClock } from '../harness/manual-clock.ts';
import { createMemoryItems } from '../harness/memory-items.ts';
import { createRateServer, headersOf } from './rate-limiter-servers.ts';
import { reportOf } from './rate-limiter-world.ts';

const LIMIT = 2_400;
const PROCESSES = 10;
const AT_ONCE = 24;
const MINUTES = 4;

/** As DynamoDB counts it: names and values, a byte for each value and three for each list or map. */
function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + 1 + bytesOf(each), 3);
  if (typeof value === 'string') return value.length;
  // A number of 13 digits.
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? 8 : 1;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields.reduce((sum, [name, field]) => sum + name.length + 1 + bytesOf(field), 3);
}

/** Workers at a key of 2,400 requests a minute that is counted by sliding windows; stores are 2 to 8 ms away. */
async function busy() {
  const startMs = Date.UTC(2026, 10, 21, 12);
  const clock = createManualClock({ startMs, autoAdvance: true });
  const random = seededRandom(5);
  const items = createMemoryItems<RateLimiterState>();
  await items.write({
    key: rateLimiterKind.key(),
    value: { ...INITIAL_STATE, limit: LIMIT },
    expectedVersion: undefined,
  });
  const server = createRateServer('sliding', LIMIT, random);
  const seen = { mostBytes: 0, writeUnits: 0, granted: 0, refused: 0 };
  const travel = () => clock.sleep(1 + random() * 3);
  const counted: typeof items = {
    ...items,
    read: async (key) => {
      await travel();
      const stored = await items.read(key);
      await travel();
      return stored;
    },
    write: async (change) => {
      await travel();
      const bytes = bytesOf(change.value);
      seen.mostBytes = Math.max(seen.mostBytes, bytes);
      if (clock.now() > startMs + MINUTE_MS) seen.writeUnits += Math.ceil(bytes / 1024);
      const written = await items.write(change);
      await travel();
      return written;
    },
  };
  const work = async (worker: string) => {
    const limiter = createRateLimiter({ items: counted, worker, clock, random });
    const askOn = async (nth: number) => {
      for (let turn = 0; clock.now() < startMs + MINUTES * MINUTE_MS; turn += 1) {
        const id = `${worker.at(-1)}-${nth}-${turn}`.padEnd(8, '0');
        const notAfterMs = clock.now() + 4 * MINUTE_MS;
        const wish = { id, lane: 'live', requestTimeoutMs: 30 * SECOND_MS, notAfterMs } as const;
        if ((await limiter.acquire(wish)).kind !== 'granted') continue;
        const nowMs = clock.now();
        const sentAt = clock.monotonic();
        const verdict = server.judge(nowMs);
        seen.granted += 1;
        if (!verdict.admitted) seen.refused += 1;
        await clock.sleep(2_500 + random() * 1_000);
        const report = reportOf(headersOf(verdict, { nowMs, tellsTime: true }), { clock, sentAt });
        await limiter.complete({ id, report, limited: !verdict.admitted });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => askOn(nth)));
  };
  await Promise.all(Array.from({ length: PROCESSES }, (_, nth) => work(`worker-${nth}`)));
  const seconds = (MINUTES - 1) * 60;
  return { ...seen, unitsASecond: seen.writeUnits / seconds, share: seen.granted / (LIMIT * MINUTES) };
}

it('2,400 requests a minute fit into an item of 20 KB and 200 write units a second, and none is one too many', async () => {
  const { mostBytes, unitsASecond, refused, share } = await busy();

  expect(refused).toBe(0);
  expect(mostBytes).toBeLessThan(20_000);
  expect(unitsASecond).toBeLessThan(200);
  // Slots that are put together count five seconds longer, for clocks that differ by as much.
  expect(share).toBeGreaterThan(0.92);
});
