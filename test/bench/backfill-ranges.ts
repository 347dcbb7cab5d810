import { discounted, estimate } from '#inside/enrichment/backfill/estimate.ts';
import { orderOf } from '#inside/enrichment/backfill/members.ts';
import type { Range, Stratum } from '#inside/enrichment/backfill/schemas.ts';
import { type Band, doesDamage, leavesBand } from '#inside/enrichment/backfill/stop-rules.ts';
import { canaryOf, newStratum } from '#inside/enrichment/backfill/transitions.ts';
import { createDigest } from '#inside/kernel/digest.system.ts';
import { type Random, seededRandom } from '#inside/kernel/random.ts';
import { type Charged, chargedIn } from '../builders/sharing-portal.ts';
import { percent, percentile, table } from './table.ts';

const PORTALS = 200;

/** Number of records, their match rate, and the price of a match and of a miss. */
const STRATA = [
  { name: 'by email', records: 4_000, rate: 0.72, hit: 1, miss: 1 },
  { name: 'by profile URL with phone', records: 1_500, rate: 0.9, hit: 4, miss: 1 },
  { name: 'by name and company', records: 2_500, rate: 0.45, hit: 3, miss: 1 },
  { name: 'by company domain', records: 2_000, rate: 0.8, hit: 1, miss: 0 },
];

/** Rise of the match rate from the oldest to the newest record. */
const BY_AGE = 0.25;

/**
 * Measures how often the 90% range after the canary contains the final cost. Match rates differ by stratum, by portal,
 * and with a record's age. Compares with a canary of the newest records.
 */
export async function measureRanges(): Promise<string> {
  const rows = [];
  for (const canary of [100, 200, 400]) {
    for (const order of ['by keyed hash', 'newest first'] as const) {
      const random = seededRandom(canary);
      const portals = Array.from({ length: PORTALS }, (_, index) =>
        portal(random, { name: `${index}`, canary, order }),
      );
      const held = portals.filter(({ isInside }) => isInside).length / PORTALS;
      const width = percentile(
        portals.map((one) => one.width),
        0.5,
      );
      rows.push([canary, order, percent(held), percent(width)]);
    }
  }
  const header = ['canary', 'order', 'the 90% range held in', 'its width, median'];
  return `${PORTALS} portals of 10,000 records.\n\n${table(header, rows)}`;
}

interface Wish {
  readonly name: string;
  readonly canary: number;
  readonly order: 'by keyed hash' | 'newest first';
}

function portal(random: Random, { name, canary, order }: Wish): { isInside: boolean; width: number } {
  const digest = createDigest('the secret of a bench');
  const strata = STRATA.map((given): Stratum => {
    const prior = discounted(given.rate * 100, (1 - given.rate) * 100);
    const least = Math.min(given.hit, given.miss);
    const credits = {
      hitCredits: given.hit,
      missCredits: given.miss,
      minCredits: least,
      maxCredits: given.hit,
    };
    const { name, records } = given;
    return { ...newStratum({ name, prior, questions: [], ...credits }), records };
  });
  const sizes = canaryOf(strata, { records: canary, perStratum: 20 });
  let cost = 0;
  const seen = strata.map((stratum, index) => {
    const { rate = 0, hit = 0, miss = 0 } = STRATA[index] ?? {};
    const own = rate + (random() - 0.5) * 0.3;
    const found = Array.from({ length: stratum.records }, (_, place) => {
      const age = place / stratum.records;
      return random() < Math.min(0.99, Math.max(0.01, own + BY_AGE * (0.5 - age)));
    });
    const places = found.map((_, place) => place);
    const inOrder =
      order === 'newest first'
        ? places
        : places
            .map((place) => ({
              place,
              at: orderOf({ backfillId: `${name}#${index}`, id: `${place}` }, digest),
            }))
            .sort((a, b) => a.at - b.at)
            .map(({ place }) => place);
    const sample = inOrder.slice(0, sizes[index]);
    const hits = sample.filter((place) => found[place]).length;
    const misses = sample.length - hits;
    cost += found.reduce((sum, isFound) => sum + (isFound ? hit : miss), 0);
    return { ...stratum, hits, misses, hitSpent: hits * hit, missSpent: misses * miss };
  });
  const { low, high } = estimate(seen);
  return { isInside: low <= cost && cost <= high, width: (high - low) / cost };
}

const BAND: Band = { lowest: 0.6, highest: 0.8 };
const RECORDS = 5_000;
const RUNS = 100;
/** Records between two checks: a minute's work. */
const LOOK_EVERY = 20;

/** Measures how often the stop rules stop a healthy backfill, and after how many records they stop a faulty one. */
export async function measureStopRules(): Promise<string> {
  const random = seededRandom(5);
  const rates = [0.7, 0.6, 0.55, 0.5, 0.4, 0.25].map((rate) => {
    const stops = Array.from({ length: RUNS }, () => matchStop(random, rate)).filter(
      (at) => at !== undefined,
    );
    return [`match rate ${percent(rate)}, band 60 to 80%`, percent(stops.length / RUNS), median(stops)];
  });
  const damages = [0.01, 0.05, 0.1, 0.2].map((rate) => {
    const stops = Array.from({ length: RUNS * 10 }, () => damageStop(random, rate)).filter(
      (at) => at !== undefined,
    );
    return [`damage ${percent(rate)}`, percent(stops.length / (RUNS * 10)), median(stops)];
  });
  const header = ['case', 'stopped', 'after records, median'];
  return `${RECORDS} records; looked at after each ${LOOK_EVERY}.\n\n${table(header, [...rates, ...damages])}`;
}

function median(values: readonly number[]): number | string {
  return values.length > 0 ? percentile(values, 0.5) : '';
}

function matchStop(random: Random, rate: number): number | undefined {
  let left = RECORDS;
  let toFind = Math.round(rate * RECORDS);
  let hits = 0;
  for (let asked = 1; asked <= RECORDS; asked += 1) {
    const isFound = random() < toFind / left;
    left -= 1;
    if (isFound) {
      toFind -= 1;
      hits += 1;
    }
    if (asked % LOOK_EVERY === 0 && leavesBand({ of: RECORDS, asked, hits }, BAND)) return asked;
  }
  return undefined;
}

function damageStop(random: Random, rate: number): number | undefined {
  let damaged = 0;
  for (let ended = 1; ended <= RECORDS; ended += 1) {
    if (random() < rate) damaged += 1;
    if (ended % LOOK_EVERY === 0 && doesDamage({ ended, damaged })) return ended;
  }
  return undefined;
}

const SHARING_PORTALS = 60;

/**
 * Runs portals in which up to 40% of the records share a person or a company, through the real quote and backfill over
 * the stand-ins. Checks whether each number of the quote, and of the range after the canary, was kept.
 */
export async function measureSharedIdentities(): Promise<string> {
  const portals: Charged[] = [];
  for (let seed = 1; seed <= SHARING_PORTALS; seed += 1) portals.push(await chargedIn(1_000 + seed));
  const rows = (['quote', 'afterCanary'] as const).map((which) => {
    const share = (holds: (range: Range, charged: number) => boolean) =>
      percent(portals.filter((one) => holds(one[which], one.charged)).length / portals.length);
    const certain = portals.filter((one) => one[which].minimum === one[which].worst);
    const exact = certain.filter((one) => one[which].worst === one.charged).length;
    const widths = portals.map((one) => (one[which].high - one[which].low) / Math.max(1, one.charged));
    return [
      which === 'quote' ? 'the quote' : 'after the canary',
      `${exact} of ${certain.length}`,
      share(({ minimum }, charged) => minimum <= charged),
      share(({ worst }, charged) => charged <= worst),
      share(({ low, high }, charged) => low <= charged && charged <= high),
      percent(percentile(widths, 0.5)),
    ];
  });
  const header = [
    'range',
    'certain and exact',
    'at least held',
    'at most held',
    '90% range held',
    'its width, median',
  ];
  const ended = portals.filter(({ state, spent, charged }) => state === 'done' && spent === charged).length;
  return `${portals.length} portals, of which ${ended} ended with as much booked as was charged.\n\n${table(header, rows)}`;
}
