import { assert } from '#shared/kernel/errors.ts';
import { type Random, seededRandom } from '#shared/kernel/random.ts';
import { byWorth } from './aging-records.ts';
import { gammaDraw } from './gamma.ts';

/** Changes a year, as published. */
export const CHANGES_A_YEAR = { industry: 0.03, place: 0.03, funding: 0.1, headCount: 0.3 } as const;
export type Field = keyof typeof CHANGES_A_YEAR;
const FIELDS: readonly Field[] = ['industry', 'place', 'funding', 'headCount'];

/** What an answer with funding costs, credits: a company profile, or a result of a search; one without it costs one. */
export const FUNDING_PRICES = { none: 1, profile: 3, search: 2 } as const;
/** A search is one request for a hundred. */
const PART_OF_SEARCH = 0.01;
/** So long an answer is used again, and nothing is asked. */
export const FRESH_DAYS = 90;
export const WEEKS = 52;
const DAYS_A_YEAR = 365;

/** Companies whose last answers are up to a year old, and go stale. */
export interface CompanyWorld {
  readonly seed: number;
  readonly companies: number;
  /** Those before the last are not counted. */
  readonly years: number;
  readonly creditsAYear: number;
  /** With what funding is bought; `none`: it is not wanted. */
  readonly funding: keyof typeof FUNDING_PRICES;
  /** Of the companies, whose changes of a field its filter shows; 0 to 1. */
  readonly recall: number;
  /** Each company's rates are gamma distributed with this shape; without one all have the published rates. */
  readonly shape?: number;
}

interface Company {
  readonly w: number;
  /** Days on which it changes. */
  readonly changes: Readonly<Record<Field, readonly number[]>>;
  /** Its filter does not show that it changes. */
  readonly isHidden: Readonly<Record<Field, boolean>>;
  /** Day of what is known of it. */
  readonly known: Record<Field, number>;
}

/** Shares of the weight, 0 to 1, that were not true any more in the last year, and what it took. */
export interface Year {
  /** Of companies and wanted fields. */
  readonly fields: number;
  /** Of companies, with any stale field. */
  readonly companies: number;
  readonly requests: number;
}

/** A week's work. It spends what there is; what it spends beyond is missing in the next week. */
export type Week = (today: number, credits: number) => Promise<void>;
/** A way to refresh companies; `told`: fields that it knows without asking. */
export type Way = (
  all: Companies,
  world: CompanyWorld,
) => { readonly week: Week; readonly told?: readonly Field[] };

/** The companies, what is known of them, and what has been paid. */
function createCompanies(world: CompanyWorld) {
  const companies = drawn(world);
  const paid = { credits: 0, requests: 0 };
  const isStale = ({ changes, known }: Company, field: Field, today: number) =>
    changes[field].some((day) => day > known[field] && day <= today);
  return {
    companies,
    wanted: FIELDS.filter((field) => field !== 'funding' || world.funding !== 'none'),
    paid,
    isStale,
    isShown: (company: Company, field: Field, today: number) =>
      !company.isHidden[field] && isStale(company, field, today),
    /** Of a head count that has left the range of a search, a profile tells the number. */
    ask: (company: Company, today: number, withFunding: boolean) => {
      const byProfile = withFunding && world.funding === 'profile';
      const profiles = !byProfile && isStale(company, 'headCount', today) ? 1 : 0;
      paid.credits += (withFunding ? FUNDING_PRICES[world.funding] : 1) + profiles;
      paid.requests += byProfile ? 1 : PART_OF_SEARCH + profiles;
      for (const field of FIELDS) if (withFunding || field !== 'funding') company.known[field] = today;
    },
  };
}
export type Companies = ReturnType<typeof createCompanies>;

function drawn({ seed, companies, years, recall, shape }: CompanyWorld): readonly Company[] {
  const random = seededRandom(seed);
  const ofEach = <T>(value: (field: Field) => T): Record<Field, T> => ({
    industry: value('industry'),
    place: value('place'),
    funding: value('funding'),
    headCount: value('headCount'),
  });
  return Array.from({ length: companies }, () => {
    const draw = random();
    const answered = -Math.floor(random() * DAYS_A_YEAR);
    const own = () => (shape === undefined ? 1 : gammaDraw(random, shape) / shape);
    const span = { from: answered, to: years * DAYS_A_YEAR };
    return {
      w: draw < 0.1 ? 10 : draw < 0.4 ? 3 : 1,
      changes: ofEach((field) => changesOf(random, (CHANGES_A_YEAR[field] * own()) / DAYS_A_YEAR, span)),
      isHidden: ofEach(() => random() >= recall),
      known: ofEach(() => answered),
    };
  });
}

function changesOf(random: Random, rate: number, span: { from: number; to: number }): number[] {
  const days: number[] = [];
  for (let day = span.from; day < span.to; day += -Math.log(1 - random()) / rate)
    if (day > span.from) days.push(day);
  return days;
}

/** The last year of a world whose companies are refreshed in one way. Nobody spends more than there is. */
export async function lastYear(world: CompanyWorld, way: Way): Promise<Year> {
  const all = createCompanies(world);
  const { week, told = [] } = way(all, world);
  const sums = { fields: 0, companies: 0, weight: 0 };
  let requestsBefore = 0;
  for (let number = 0; number < world.years * WEEKS; number += 1) {
    const today = Math.round((number * DAYS_A_YEAR) / WEEKS);
    if (number === (world.years - 1) * WEEKS) requestsBefore = all.paid.requests;
    await week(today, ((number + 1) * world.creditsAYear) / WEEKS - all.paid.credits);
    if (number < (world.years - 1) * WEEKS) continue;
    for (const company of all.companies) {
      const isStale = (field: Field) => !told.includes(field) && all.isStale(company, field, today + 3);
      const stale = all.wanted.filter(isStale).length;
      sums.weight += company.w;
      sums.fields += (company.w * stale) / all.wanted.length;
      sums.companies += stale > 0 ? company.w : 0;
    }
  }
  assert(all.paid.credits < world.creditsAYear * world.years * 1.01, 'all ways are given the same credits');
  const { fields, companies, weight } = sums;
  const requests = all.paid.requests - requestsBefore;
  return { fields: fields / weight, companies: companies / weight, requests };
}

/** The product's own choice by worth. @param compared fields from whose changes it learns how often a company changes. */
export function chooserOf({ companies, isStale }: Companies, compared: readonly Field[]) {
  const answers = companies.map(({ w, known }) => ({ w, answered: known.headCount }));
  const { choose, answered } = byWorth(answers, { freshDays: FRESH_DAYS });
  return {
    choose: async (today: number, most: number) => (most < 1 ? [] : choose(today, Math.floor(most))),
    /** To be called before the answer is taken. */
    learn: async (index: number, today: number) => {
      const company = companies[index];
      if (!company) return;
      const days = today - company.known.headCount;
      const changed = compared.some((field) => isStale(company, field, today));
      if (days > 0) await answered?.(index, { today, days, changed });
    },
  };
}
export type Chooser = ReturnType<typeof chooserOf>;
