import { afterEach, describe, expect, it } from 'vitest';
import { type Fields, numberOf, readFields, recordsOf } from './answer.ts';
import {
  CHECK_KEY,
  COMPANY_OPTIONS,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  EMPLOYEE_SEARCH,
  type Endpoint,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  PERSON_OPTIONS,
  PROFILE_OPTIONS,
} from './endpoints.ts';
import { type ErrorRow, NOT_FOUND_ROWS } from './error-rows.ts';
import { existingOf, QUESTIONS } from './questions.ts';
import { named, useSamples } from './samples.ts';
import { isOwn, refresh, type Target, useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);

interface PriceRow {
  readonly endpoint: Endpoint;
  readonly options: Fields;
  /** Credits of one result of a search, of one request elsewhere. */
  readonly credits: number;
}

const EMAIL = { include_email: 'include' };
const PHONE = { include_phone: 'include' };
const PERSON_ADD_ONS: readonly (readonly [Fields, number])[] = [
  [{}, 1],
  [EMAIL, 3],
  [PHONE, 4],
  [PERSON_OPTIONS, 6],
  [{ include_email: 'exclude', include_phone: 'exclude' }, 1],
];

const row =
  (endpoint: Endpoint) =>
  ([options, credits]: readonly [Fields, number]): PriceRow => ({ endpoint, options, credits });

/** Specification: Credits. */
const PRICES: readonly PriceRow[] = [
  ...PERSON_ADD_ONS.map(row(PEOPLE_SEARCH)),
  row(COMPANY_SEARCH)([{}, 1]),
  row(COMPANY_SEARCH)([{ funding: 'include' }, 2]),
  row(COMPANY_SEARCH)([{ extra: 'include' }, 2]),
  row(COMPANY_SEARCH)([{ technology: 'include' }, 3]),
  row(COMPANY_SEARCH)([{ website_traffic: 'include' }, 2]),
  row(COMPANY_SEARCH)([{ headcount_growth: 'include' }, 2]),
  row(COMPANY_SEARCH)([COMPANY_OPTIONS, 7]),
  ...PERSON_ADD_ONS.map(row(EMPLOYEE_SEARCH)),
  ...PERSON_ADD_ONS.map(row(PEOPLE_LOOKUP)),
  ...PERSON_ADD_ONS.map(row(PEOPLE_PROFILE)),
  row(COMPANY_PROFILE)([{}, 1]),
  row(COMPANY_PROFILE)([{ include_funding: 'include' }, 3]),
  row(COMPANY_PROFILE)([{ include_technology: 'include' }, 2]),
  row(COMPANY_PROFILE)([{ include_contacts: 'include' }, 4]),
  row(COMPANY_PROFILE)([PROFILE_OPTIONS, 7]),
  ...QUESTIONS.filter(({ endpoint }) => endpoint.path.includes('/lookup/')).map(({ endpoint }) =>
    row(endpoint)([{}, 1]),
  ),
];

function priceName({ endpoint, options, credits }: PriceRow): string {
  const asked = Object.entries(options).map(([option, word]) => `${option}=${word}`);
  return `${endpoint.operation} with ${asked.join(' ') || 'no options'}: ${credits} each`;
}

const SEARCHES = [PEOPLE_SEARCH, COMPANY_SEARCH, EMPLOYEE_SEARCH];
const isSearch = (endpoint: Endpoint) => SEARCHES.includes(endpoint);

/** Three results of a search, else the record. */
function paramsOf(endpoint: Endpoint): Fields {
  const chosen = QUESTIONS.find((question) => question.endpoint === endpoint);
  const domains = samples.companies.slice(0, 10).map(({ domain }) => domain);
  if (endpoint === COMPANY_SEARCH) return { q_organization_domains: domains, per_page: 3 };
  return chosen === undefined ? {} : chosen.params(samples);
}

const whenOf = ({ when }: ErrorRow) => when;

async function billOf({ verb }: Target) {
  const bill = await verb('GET', 'bill');
  return { charged: numberOf(bill, 'creditsCharged'), balance: numberOf(bill, 'creditBalance') };
}

/** Credits charged, which must be what the balance has lost. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = await billOf(target);
  await work();
  const after = await billOf(target);
  expect(before.balance - after.balance).toBe(after.charged - before.charged);
  return after.charged - before.charged;
}

describe.skipIf(!isOwn)('credits (need the /_sandbox verbs)', () => {
  afterEach(() => refresh(target));

  it.each(named(PRICES, priceName))('%s', async (_, { endpoint, options, credits }) => {
    const cost = await costOf(async () => {
      const answer = await target.ask(endpoint, { ...paramsOf(endpoint), ...options });
      expect(answer.status).toBe(endpoint.status);
      if (isSearch(endpoint)) expect(recordsOf(answer)).toHaveLength(3);
    });
    expect(cost).toBe(isSearch(endpoint) ? 3 * credits : credits);
  });

  it('checking a key is free', async () => {
    expect(await costOf(() => target.ask(CHECK_KEY))).toBe(0);
  });

  it('a profile with email and phone costs 6', async () => {
    const { profileUrl: network_url } = existingOf(samples);
    const ask = () => target.ask(PEOPLE_PROFILE, { network_url, ...PERSON_OPTIONS });
    expect(await costOf(ask)).toBe(6);
  });

  it('a search returning 20 results with email and phone costs 120', async () => {
    const params = { person_seniorities: ['Manager'], per_page: 20, ...PERSON_OPTIONS };
    expect(await costOf(() => target.ask(PEOPLE_SEARCH, params))).toBe(120);
  });

  it.each(SEARCHES)('$operation without results costs nothing', async (endpoint) => {
    const nothing = { ...paramsOf(endpoint), page: 1_000, offset: 100_000 };
    const cost = await costOf(async () => expect(recordsOf(await target.ask(endpoint, nothing))).toEqual([]));
    expect(cost).toBe(0);
  });

  it('the same question asked twice is charged twice', async () => {
    const ask = () => target.ask(COMPANY_PROFILE, { domain: existingOf(samples).domain });
    expect(await costOf(async () => [await ask(), await ask()])).toBe(2);
  });
});

describe.skipIf(!isOwn)('credits of an error (need the /_sandbox verbs)', () => {
  afterEach(() => refresh(target));

  it.each(QUESTIONS)('401 without a key charges nothing: $operation', async ({ endpoint, params }) => {
    expect(await costOf(() => target.ask(endpoint, params(samples), null))).toBe(0);
  });

  it.each(QUESTIONS)('402 and 429 charge nothing: $operation', async ({ endpoint, params }) => {
    await target.verb('PUT', 'settings', { creditBalance: 0, rateLimitPerMinute: 1 });
    const ask = () => target.askOnce(endpoint, params(samples));
    expect(await costOf(async () => [await ask(), await ask()])).toBe(0);
  });

  it.each([
    ['none', 0],
    ['base', 1],
    ['full', 6],
  ])('404 charges as the setting says: %s', async (noMatchCost, credits) => {
    await target.verb('PUT', 'settings', { noMatchCost });
    const nobody = { company_domain: 'no-such-company-4711.com', first_name: 'Ada', ...PERSON_OPTIONS };
    expect(await costOf(() => target.ask(PEOPLE_LOOKUP, nobody))).toBe(credits);
  });

  it.each(named(NOT_FOUND_ROWS, whenOf))(
    '404 charges nothing when the setting is none: %s',
    async (_, missing) => {
      await target.verb('PUT', 'settings', { noMatchCost: 'none' });
      expect(await costOf(() => target.ask(missing.endpoint, missing.params(existingOf(samples))))).toBe(0);
    },
  );

  it('the bill counts requests by status and credits by operation', async () => {
    await refresh(target);
    await target.ask(PEOPLE_PROFILE, { network_url: existingOf(samples).profileUrl });
    await target.ask(PEOPLE_SEARCH, {});
    const bill = await target.verb('GET', 'bill');
    expect(bill).toMatchObject({ creditsCharged: 1, requests: 2, byStatus: { 200: 1, 400: 1 } });
    const credits = Object.values(readFields(bill['byOperation'])).map(Number);
    expect(credits.reduce((sum, one) => sum + one, 0)).toBe(1);
  });
});
