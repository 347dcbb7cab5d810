import { describe, expect, it } from 'vitest';
import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS, seededRandom } from '#shared/kernel';
import { isThorough, repeated } from '../harness/repeated.ts';
import { COUNTINGS } from './rate-limiter-servers.ts';
import { LIMIT, type Outcome, runWorld, type Sending, type WorldOptions } from './rate-limiter-world.ts';

type Circumstances = Omit<WorldOptions, 'counting' | 'seed' | 'minutes'>;

const CIRCUMSTANCES: readonly (Circumstances & { name: string; leastShare: number })[] = [
  { name: 'one worker, 20 ms', workers: 1, latencyMs: 20, leastShare: 0.98 },
  {
    name: 'two workers of skewed clocks, 3 s',
    workers: 2,
    latencyMs: 3_000,
    workerSkewMs: CLOCK_TOLERANCE_MS,
    serverSkewMs: MINUTE_MS,
    leastShare: 0.91,
  },
  {
    name: 'eight workers of skewed clocks, half a second with spikes to ten',
    workers: 8,
    latencyMs: 500,
    spikes: 0.1,
    workerSkewMs: CLOCK_TOLERANCE_MS,
    serverSkewMs: -MINUTE_MS,
    leastShare: 0.91,
  },
  {
    name: 'eight live workers, three seconds',
    workers: 8,
    latencyMs: 3_000,
    workerSkewMs: CLOCK_TOLERANCE_MS,
    lane: 'live',
    leastShare: 0.92,
  },
  {
    name: 'sixteen live workers, eight seconds, answers that never come, no server time',
    workers: 16,
    latencyMs: 8_000,
    lost: 0.05,
    workerSkewMs: CLOCK_TOLERANCE_MS,
    serverSkewMs: MINUTE_MS,
    tellsTime: false,
    lane: 'live',
    leastShare: 0.85,
  },
];

/** All of them at night; in a quick run each way of counting and each circumstance twice. */
const PAIRS = COUNTINGS.flatMap((counting, nth) =>
  CIRCUMSTANCES.filter((_, place) => isThorough || (place + nth) % CIRCUMSTANCES.length < 2).map(
    (circumstances) => ({ counting, ...circumstances }),
  ),
);

it.each(PAIRS)(
  'alone on a key nobody is ever refused, and the rate is used, counted by $counting: $name',
  async ({ name, leastShare, ...circumstances }) => {
    const { refused, share } = await runWorld({ seed: 7, minutes: 9, ...circumstances });
    expect(refused, name).toBe(0);
    expect(share).toBeGreaterThanOrEqual(leastShare);
  },
);

it.each(Array.from({ length: repeated(10) }, (_, i) => 100 + i))(
  'alone on a key, under circumstances at random nobody is ever refused: seed %i',
  async (seed) => {
    const random = seededRandom(seed);
    const among = <T>(...some: [T, ...T[]]): T => some[Math.floor(random() * some.length)] ?? some[0];
    const options: WorldOptions = {
      seed,
      counting: COUNTINGS[seed % COUNTINGS.length] ?? 'sliding',
      workers: among(1, 2, 3, 8, 16),
      minutes: 6,
      latencyMs: among(20, 50, 500, 3_000, 8_000),
      spikes: among(0, 0.05, 0.3),
      lost: among(0, 0, 0.05),
      workerSkewMs: CLOCK_TOLERANCE_MS,
      serverSkewMs: among(0, MINUTE_MS, -MINUTE_MS),
      tellsTime: among(true, true, false),
      lane: among('live', 'bulk'),
      livePerMinute: among(0, 3),
    };
    expect((await runWorld(options)).refused, JSON.stringify(options)).toBe(0);
  },
);

/** What holds however the vendor counts, is looked at in one way in a quick run. */
const SOME = COUNTINGS.slice(0, repeated(COUNTINGS.length));

it.each(SOME)(
  'workers whose clocks are minutes off take no slot; at most one that steps during a wait is refused, counted by %s',
  async (counting) => {
    for (const wrongClocksMs of [[2 * MINUTE_MS], [-2 * MINUTE_MS], [2 * MINUTE_MS, -90 * SECOND_MS, 8_000]])
      for (const seed of [1, 2, 3].slice(0, repeated(3))) {
        const circumstances = {
          workers: 6,
          minutes: 12,
          latencyMs: 500,
          spikes: 0.1,
          workerSkewMs: CLOCK_TOLERANCE_MS,
        };
        const { refused, share } = await runWorld({ seed, counting, wrongClocksMs, ...circumstances });
        expect(refused, `seed ${seed}, ${wrongClocksMs}`).toBeLessThanOrEqual(1);
        expect(share).toBeGreaterThan(0.8);
      }
  },
);

const duringLast = (share: number, { sent }: Outcome): readonly Sending[] => {
  const [from = 0, to = 0] = [sent[0]?.arrivedAtMs, sent.at(-1)?.arrivedAtMs];
  return sent.filter(({ arrivedAtMs }) => arrivedAtMs > to - (to - from) * share);
};

it.each(SOME)(
  'live questions go before bulk ones and cost none of the rate, counted by %s',
  async (counting) => {
    const options = { seed: 4, counting, workers: 6, minutes: 30, latencyMs: 500, livePerMinute: 2 } as const;
    const outcome = await runWorld(options);
    const live = outcome.sent.filter(({ lane }) => lane === 'live');
    const overtaken = live.filter((one) => wasOvertaken(one, outcome.sent));
    expect(live.length).toBeGreaterThan(40);
    expect(overtaken).toEqual([]);
    const waits = live.map(({ askedAtMs, grantedAtMs }) => grantedAtMs - askedAtMs).sort((a, b) => a - b);
    expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(5 * SECOND_MS);
    expect(waits.at(-1)).toBeLessThan(25 * SECOND_MS);
    expect(outcome.share).toBeGreaterThan(0.9);
    expect(outcome.refused).toBe(0);
  },
);

/** A bulk question that was asked for and granted while the live one waited. */
function wasOvertaken(live: Sending, all: readonly Sending[]): boolean {
  return all.some(
    ({ lane, grantedAtMs }) =>
      lane === 'bulk' && grantedAtMs > live.askedAtMs && grantedAtMs < live.grantedAtMs,
  );
}

describe('the limit', () => {
  it.each(SOME)('is learned when the plan allows more, counted by %s', async (counting) => {
    const limits = [LIMIT, 60] as const;
    const outcome = await runWorld({ seed: 6, counting, workers: 8, minutes: 12, latencyMs: 500, limits });
    const last = duringLast(0.25, outcome);
    expect(last.length / 3).toBeGreaterThan(50);
    expect(outcome.refused).toBe(0);
  });

  it.each(SOME)('is learned when the plan allows less, counted by %s', async (counting) => {
    const limits = [LIMIT, 8] as const;
    const outcome = await runWorld({ seed: 6, counting, workers: 8, minutes: 16, latencyMs: 500, limits });
    const last = duringLast(0.25, outcome);
    expect(last.length / 4).toBeLessThanOrEqual(9);
    expect(last.length / 4).toBeGreaterThan(6);
    expect(last.filter(({ admitted }) => !admitted)).toEqual([]);
    expect(outcome.refused).toBeLessThanOrEqual(2);
  });
});

describe('somebody else on the same key', () => {
  it.each(SOME)('is given way to, counted by %s', async (counting) => {
    const options = { seed: 5, counting, workers: 4, minutes: 20, latencyMs: 500 } as const;
    const together = await runWorld({ ...options, othersPerMinute: 8 });
    const admitted = together.sent.length - together.refused;
    expect(together.share).toBeLessThan(0.85);
    expect(together.othersRefused / together.othersSent).toBeLessThan(0.6);
    // A refusal costs nothing, and is how one learns: but not a second one before the reset.
    expect(together.refused / admitted).toBeLessThan(0.35);
  });

  it('shuts the gate for every worker until the reset, once we are refused', async () => {
    const counting = 'fixed';
    const outcome = await runWorld({
      seed: 5,
      counting,
      workers: 4,
      minutes: 20,
      latencyMs: 200,
      othersPerMinute: 12,
    });
    const refused = outcome.sent.filter(({ admitted }) => !admitted);
    expect(refused.length).toBeGreaterThan(3);
    for (const { arrivedAtMs, resetAtMs } of refused) {
      const knownAtMs = arrivedAtMs + SECOND_MS;
      const early = outcome.sent.filter((one) => one.grantedAtMs > knownAtMs && one.grantedAtMs < resetAtMs);
      expect(early).toEqual([]);
    }
  });
});
