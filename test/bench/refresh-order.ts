import { candidateOf, chooseByWorth } from '#inside/records/choose-by-worth.ts';
import { countedIndex, drawnRecord, NOW_MS } from '../builders/many-records.ts';
import { type AgingWorld, byNumber, byWorth, type Policy, weightedStaleness } from './aging-records.ts';
import { percent, type Row, table } from './table.ts';

const WORLD: Omit<AgingWorld, 'seed' | 'asksPerRecordYear'> = {
  records: 2_000,
  years: 6,
  learningYears: 2,
  changesPerYear: 0.3,
  shape: 0.8,
  freshDays: 30,
};
const SEEDS = [1, 2, 3];

const POLICIES: readonly Policy[] = [
  byNumber((_, days) => days),
  byNumber(({ w }, days) => w * days),
  byWorth,
  // An ideal chooser that knows the true rates, as an upper bound.
  byNumber(({ w, rate }, days) => (w / rate) * (1 - (1 + rate * days) * Math.exp(-rate * days))),
];

interface Case extends Partial<AgingWorld> {
  readonly name: string;
  readonly asksPerRecordYear: number;
}

const CASES: readonly Case[] = [
  { name: '0.5', asksPerRecordYear: 0.5 },
  { name: '1', asksPerRecordYear: 1 },
  { name: '2', asksPerRecordYear: 2 },
  { name: '1, half as many changes as believed', asksPerRecordYear: 1, changesPerYear: 0.15 },
  { name: '1, twice as many', asksPerRecordYear: 1, changesPerYear: 0.6 },
  { name: '1, an answer used again for 180 days', asksPerRecordYear: 1, freshDays: 180 },
];

/**
 * Measures the reads of a choice of a thousand out of a million records, and how close it comes to the best thousand.
 */
export async function measureRefreshReads(): Promise<string> {
  const count = 1_000_000;
  const worstCaseCredits = () => 1;
  const records = countedIndex(count);
  const choosing = { nowMs: NOW_MS, credits: 1_000, most: 1_000 };
  const { chosen } = await chooseByWorth({ records, worstCaseCredits }, choosing);
  const worths = Array.from({ length: count }, (_, number) => {
    const { worth, state } = candidateOf({ worstCaseCredits }, drawnRecord(number), NOW_MS);
    return (state.staleAtMs ?? 0) <= NOW_MS ? worth : 0;
  });
  const best = sum(worths.sort((a, b) => b - a).slice(0, chosen.length));
  const share = percent(sum(chosen.map(({ worth }) => worth)) / best);
  const header = ['records', 'chosen', 'queries', 'items read', 'worth of the chosen beside the best'];
  const { queries, items } = records.counted;
  return table(header, [[count, chosen.length, queries, items, share]]);
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

/** Measures how stale records are at equal credits, by the order of the refresh. */
export async function measureRefreshOrder(): Promise<string> {
  const rows: Row[] = [];
  for (const { name, ...one } of CASES) {
    const shares: number[] = [];
    for (const policy of POLICIES) shares.push(await meanOf(policy, { ...WORLD, ...one }));
    const [stalest = 1, , worth = 1] = shares;
    rows.push([name, ...shares.map(percent), percent(1 - worth / stalest)]);
  }
  const header = ['asks per record and year', 'stalest first', 'weight times age', 'by worth', 'rates known'];
  return table([...header, 'less than stalest first'], rows);
}

async function meanOf(policy: Policy, world: Omit<AgingWorld, 'seed'>): Promise<number> {
  let sum = 0;
  for (const seed of SEEDS) sum += await weightedStaleness({ ...world, seed }, policy);
  return sum / SEEDS.length;
}
