import { describe, expect, it } from 'vitest';
import { type Fields, idsOf, recordsOf } from './answer.ts';
import { COMPANY_SEARCH, PEOPLE_SEARCH } from './endpoints.ts';
import { expectSwitched, PERSON_SWITCHES } from './person-switches.ts';
import { useSamples } from './samples.ts';
import { useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);

/** Enough results for two pages of the largest size from a stand-in. */
const BROAD = { person_seniorities: ['Manager', 'Director', 'Staff', 'Senior'] };

const SEARCHES = [PEOPLE_SEARCH, COMPANY_SEARCH];
const ask = (endpoint: (typeof SEARCHES)[number], params: Fields) => target.ask(endpoint, params);

describe.each(SEARCHES)('$operation', (search) => {
  it('takes per_page as 25 unless told', async () => {
    expect(idsOf(await ask(search, BROAD))).toHaveLength(25);
  });

  it.each([1, 7, 100])('gives per_page %i results', async (per_page) => {
    expect(idsOf(await ask(search, { ...BROAD, per_page }))).toHaveLength(per_page);
  });

  it('goes on with page where the page before ended', async () => {
    const pages = [1, 2, 3].map(async (page) => idsOf(await ask(search, { ...BROAD, page, per_page: 10 })));
    const together = await ask(search, { ...BROAD, per_page: 30 });
    expect((await Promise.all(pages)).flat()).toEqual(idsOf(together));
  });

  it('answers with an empty array when nothing fits', async () => {
    const answer = await ask(search, { q_organization_domains: ['no-such-company-4711.com'] });
    expect({ status: answer.status, data: answer.body['data'] }).toEqual({ status: 201, data: [] });
  });
});

it.each(PERSON_SWITCHES)('People search has $field with $option, and neither with exclude nor untold', (of) =>
  expectSwitched(of, async (params) =>
    recordsOf(await ask(PEOPLE_SEARCH, { ...BROAD, per_page: 100, ...params })),
  ),
);

interface CompanySwitch {
  readonly option: string;
  /** Whether a key belongs to what the option buys; of `funding` and `extra` no key is named. */
  readonly isBought: (key: string) => boolean;
}

const COMPANY_SWITCHES: readonly CompanySwitch[] = [
  { option: 'funding', isBought: () => true },
  { option: 'extra', isBought: () => true },
  { option: 'technology', isBought: (key) => key.startsWith('technologies.') },
  { option: 'website_traffic', isBought: (key) => key.startsWith('website_traffic.') },
  { option: 'headcount_growth', isBought: (key) => key === 'employee_on_network_growth_rate' },
];

describe.each(COMPANY_SWITCHES)('Company search, $option', ({ option, isBought }) => {
  const keysWith = async (params: Fields) => {
    const q_organization_domains = samples.companies.slice(0, 100).map(({ domain }) => domain);
    const answer = await ask(COMPANY_SEARCH, { q_organization_domains, per_page: 100, ...params });
    return [...new Set(recordsOf(answer).flatMap((record) => Object.keys(record)))].sort();
  };

  it('adds its fields, and only its own, with include', async () => {
    const added = without(await keysWith({ [option]: 'include' }), await keysWith({}));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((key) => !isBought(key))).toEqual([]);
  });

  it('adds nothing with exclude', async () => {
    expect(await keysWith({ [option]: 'exclude' })).toEqual(await keysWith({}));
  });
});

function without(keys: readonly string[], others: readonly string[]): string[] {
  return keys.filter((key) => !others.includes(key));
}
