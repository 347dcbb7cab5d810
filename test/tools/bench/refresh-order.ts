import { seededRandom } from '#shared/kernel';
import { gammaDraw } from './gamma.ts';
import { percent, type Row, table } from './table.ts';

/** A world in which records become stale, and the credits of a day allow only some lookups. */
const WORLD = {
  records: 2_000,
  years: 6,
  /** Years at the start that are not counted. */
  warmUpYears: 2,
  /** Mean number of changes a year. Each record has its own rate, gamma distributed with this shape. */
  changesPerYear: 0.3,
  shape: 0.8,
  asksPerRecordYear: 1,
  /** Days for which an answer is reused without a new question. */
  freshDays: 30,
};
const SEEDS = [1, 2, 3];

const CASES: ReadonlyArray<Partial<typeof WORLD> & { readonly name: string }> = [
  { name: '0.5', asksPerRecordYear: 0.5 },
  { name: '1', asksPerRecordYear: 1 },
  { name: '2', asksPerRecordYear: 2 },
  { name: '1, half as many changes', changesPerYear: 0.15 },
  { name: '1, twice as many', changesPerYear: 0.6 },
  { name: '1, an answer used again for 180 days', freshDays: 180 },
];

interface Aging {
  readonly weight: number;
  /** Days on which it changes. */
  readonly changes: readonly number[];
  /** Day of the last answer. */
  answered: number;
}

/** The record with the highest number is asked first. `days` is the age of its answer. */
type Order = (record: Aging, days: number) => number;

const ORDERS: readonly Order[] = [
  (_, days) => days,
  ({ weight }, days) => weight * days,
  // The product's order.
  ({ weight }, days) => Math.sqrt(weight) * days,
];

/** Measures how stale records are at equal credits, by the order of the refresh. */
export async function measureRefreshOrder(): Promise<string> {
  const rows = CASES.map(({ name, ...one }): Row => {
    const shares = ORDERS.map((order) => meanStaleness(order, { ...WORLD, ...one }));
    return [name, ...shares.map(percent)];
  });
  const header = ['asks per record and year', 'oldest first', 'age times weight', 'age times root of weight'];
  return table(header, rows);
}

function meanStaleness(order: Order, world: typeof WORLD): number {
  return SEEDS.reduce((sum, seed) => sum + weightedStaleness(order, world, seed), 0) / SEEDS.length;
}

/** @returns the share of the time, by weight, in which a record's stored data is outdated. */
function weightedStaleness(order: Order, world: typeof WORLD, seed: number): number {
  const all = drawn(world, seed);
  let budget = 0;
  let stale = 0;
  let counted = 0;
  for (let today = 0; today < world.years * 365; today += 1) {
    if (today >= world.warmUpYears * 365)
      for (const one of all) {
        counted += one.weight;
        if (hasChanged(one, today)) stale += one.weight;
      }
    budget += (world.records * world.asksPerRecordYear) / 365;
    const most = Math.floor(budget);
    budget -= most;
    const asked = all
      .filter(({ answered }) => today - answered >= world.freshDays)
      .sort((a, b) => order(b, today - b.answered) - order(a, today - a.answered))
      .slice(0, most);
    for (const one of asked) one.answered = today;
  }
  return stale / counted;
}

function hasChanged({ changes, answered }: Aging, today: number): boolean {
  return changes.some((day) => day > answered && day <= today);
}

function drawn(world: typeof WORLD, seed: number): Aging[] {
  const { records, years, changesPerYear, shape, asksPerRecordYear } = world;
  const random = seededRandom(seed);
  return Array.from({ length: records }, () => {
    const rate = (gammaDraw(random, shape) * changesPerYear) / shape / 365;
    const answered = -Math.floor((random() / asksPerRecordYear) * 365);
    const changes: number[] = [];
    for (let day = answered; day < years * 365; day += -Math.log(1 - random()) / rate)
      if (day > answered) changes.push(day);
    const draw = random();
    return { weight: draw < 0.1 ? 10 : draw < 0.4 ? 3 : 1, changes, answered };
  });
}
