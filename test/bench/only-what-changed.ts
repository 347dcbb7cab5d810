import { type CompanyWorld, lastYear, type Way, type Year } from './changing-companies.ts';
import {
  byWorthAlone,
  FUNDING,
  fundingByWorth,
  INDUSTRY,
  inCycles,
  PLACE,
  roundsAtRefresh,
  toldForNothing,
} from './sensing-ways.ts';
import { percent, type Row, table } from './table.ts';

type World = Omit<CompanyWorld, 'seed'>;
type Case = Partial<World> & { readonly name: string };
type Ways = ReadonlyArray<readonly [name: string, way: Way]>;

const SEEDS = [1, 2, 3];
const BUDGETS: readonly Case[] = [2_500, 5_000, 10_000, 20_000].map((creditsAYear) => ({
  name: creditsAYear.toLocaleString('en'),
  creditsAYear,
}));
const THIRD_YEAR: Case = { name: '10,000, the third year', years: 3 };

const NOT_BOUGHT: Ways = [
  ['by worth', byWorthAlone],
  ['industry, place sensed', inCycles([INDUSTRY, PLACE])],
  ['told for nothing', toldForNothing(['industry', 'place'])],
];
const BOUGHT: Ways = [
  ['by worth', byWorthAlone],
  ['funding by worth', fundingByWorth],
  ['rounds, at a refresh', roundsAtRefresh],
  ['rounds, in cycles', inCycles([FUNDING])],
  ['rounds, industry, place', inCycles([FUNDING, INDUSTRY, PLACE])],
  ['told for nothing', toldForNothing(['funding', 'industry', 'place'])],
];
const HARDER: readonly Case[] = [
  { name: '10,000, rates of their own', shape: 0.8 },
  { name: '10,000, a fifth hidden from the filters', recall: 0.8 },
  { name: '10,000, funding with a search', funding: 'search' },
];

/** How stale companies are at equal credits, where those that differ are asked for, and where not. */
export async function measureOnlyWhatChanged(): Promise<string> {
  const usual = { companies: 10_000, years: 1, creditsAYear: 10_000, recall: 1 };
  const cases = [...BUDGETS, THIRD_YEAR];
  const notBought = await measure(NOT_BOUGHT, cases, { ...usual, funding: 'none' });
  const bought = await measure(BOUGHT, [...cases, ...HARDER], { ...usual, funding: 'profile' });
  return `Funding not bought:\n\n${notBought}\n\nFunding bought:\n\n${bought}`;
}

async function measure(ways: Ways, cases: readonly Case[], usual: World): Promise<string> {
  const rows: Row[] = [];
  for (const { name, ...one } of cases) {
    const years: Year[] = [];
    for (const [, way] of ways) years.push(await meanOf(way, { ...usual, ...one }));
    rows.push([name, ...years.map((year) => cell(year, years[0]))]);
  }
  return table(['credits a year', ...ways.map(([name]) => name)], rows);
}

function cell(year: Year, byWorth: Year = year): string {
  const less = (key: 'fields' | 'companies') => percent(1 - year[key] / byWorth[key]);
  const beside = year === byWorth ? '' : ` (${less('fields')}, ${less('companies')} less)`;
  const shares = `${percent(year.fields)}, ${percent(year.companies)}`;
  return `${shares}${beside}; ${Math.round(year.requests)}`;
}

async function meanOf(way: Way, world: World): Promise<Year> {
  const years: Year[] = [];
  for (const seed of SEEDS) years.push(await lastYear({ ...world, seed }, way));
  const mean = (key: keyof Year) => years.reduce((sum, year) => sum + year[key], 0) / years.length;
  return { fields: mean('fields'), companies: mean('companies'), requests: mean('requests') };
}
