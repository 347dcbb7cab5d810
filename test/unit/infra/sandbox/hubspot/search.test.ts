import { describe, expect, it } from 'vitest';
import { type Account, born, COMPANIES, CONTACTS, openAccount, update } from './account.ts';

const NO_LIMIT = { tenSecondly: 1e6, associationsTenSecondly: 1e6, searchSecondly: 1e6, daily: 1e6 };

async function stocked(): Promise<Account> {
  const account = openAccount({ settings: { rateLimits: NO_LIMIT } });
  await born(account, 'company', { name: 'Alpha Tools', industry: 'BANKING', numberofemployees: '9' });
  await born(account, 'company', { name: 'beta tools', industry: 'RETAIL', numberofemployees: '10' });
  await account.clock.advance(60_000);
  await born(account, 'company', { name: 'Gamma', domain: 'gamma.example', numberofemployees: '200' });
  return account;
}

async function names(account: Account, body: object): Promise<unknown[]> {
  const answer = await account.call('POST', `${COMPANIES}/search`, { properties: ['name'], ...body });
  if (answer.status !== 200) throw new Error(answer.body.message);
  return answer.body.results.map((one) => one.properties.name);
}

const where = (...filters: object[]) => ({ filterGroups: [{ filters }] });

describe('search filters', () => {
  const [alpha, beta, gamma] = ['Alpha Tools', 'beta tools', 'Gamma'];
  const size = 'numberofemployees';
  const noon = String(Date.UTC(2026, 10, 21, 12));
  it.each([
    ['EQ ignores the case of text', 'name', 'EQ', { value: 'ALPHA TOOLS' }, [alpha]],
    ['EQ keeps the case of options', 'industry', 'EQ', { value: 'banking' }, []],
    ['NEQ', 'industry', 'NEQ', { value: 'BANKING' }, [beta]],
    ['LT compares numbers', size, 'LT', { value: '10' }, [alpha]],
    ['LTE', size, 'LTE', { value: '10' }, [alpha, beta]],
    ['GT', size, 'GT', { value: '10' }, [gamma]],
    ['GTE', size, 'GTE', { value: '10' }, [beta, gamma]],
    ['BETWEEN', size, 'BETWEEN', { value: '9', highValue: '10' }, [alpha, beta]],
    ['IN wants text in lower case', 'name', 'IN', { values: ['gamma', 'Beta Tools'] }, [gamma]],
    ['NOT_IN', 'industry', 'NOT_IN', { values: ['RETAIL'] }, [alpha]],
    ['HAS_PROPERTY', 'domain', 'HAS_PROPERTY', {}, [gamma]],
    ['NOT_HAS_PROPERTY', 'domain', 'NOT_HAS_PROPERTY', {}, [alpha, beta]],
    ['CONTAINS_TOKEN', 'name', 'CONTAINS_TOKEN', { value: 'TOOLS' }, [alpha, beta]],
    ['CONTAINS_TOKEN with *', 'name', 'CONTAINS_TOKEN', { value: 'gam*' }, [gamma]],
    ['GT on a datetime', 'createdate', 'GT', { value: noon }, [gamma]],
  ])('%s', async (_, propertyName, operator, wanted, expected) => {
    expect(await names(await stocked(), where({ propertyName, operator, ...wanted }))).toEqual(expected);
  });

  it('joins filters with and, groups with or', async () => {
    const account = await stocked();
    const small = { propertyName: 'numberofemployees', operator: 'LT', value: '100' };
    const retail = { propertyName: 'industry', operator: 'EQ', value: 'RETAIL' };
    const gamma = { propertyName: 'name', operator: 'EQ', value: 'Gamma' };
    expect(await names(account, where(small, retail))).toEqual(['beta tools']);
    const groups = { filterGroups: [{ filters: [small, retail] }, { filters: [gamma] }] };
    expect(await names(account, groups)).toEqual(['beta tools', 'Gamma']);
  });

  it('refuses unknown properties and operators, too many filters and too long a body', async () => {
    const account = await stocked();
    const filter = { propertyName: 'name', operator: 'HAS_PROPERTY' };
    const bad = [
      where({ propertyName: 'nonsense', operator: 'HAS_PROPERTY' }),
      where({ propertyName: 'name', operator: 'LIKE', value: 'x' }),
      where(...Array.from({ length: 7 }, () => filter)),
      { filterGroups: Array.from({ length: 6 }, () => ({ filters: [filter] })) },
      {
        filterGroups: Array.from({ length: 4 }, () => ({ filters: Array.from({ length: 5 }, () => filter) })),
      },
      where({ propertyName: 'name', operator: 'EQ', value: 'x'.repeat(3_000) }),
      { sorts: ['name', 'domain'] },
      { limit: 201 },
      { after: '9801', limit: 200 },
    ];
    for (const body of bad)
      expect((await account.call('POST', `${COMPANIES}/search`, body)).status).toBe(400);
  });
});

describe('search results', () => {
  it('are sorted by one property, in its type', async () => {
    const account = await stocked();
    expect(
      await names(account, { sorts: [{ propertyName: 'numberofemployees', direction: 'DESCENDING' }] }),
    ).toEqual(['Gamma', 'beta tools', 'Alpha Tools']);
    expect(await names(account, { sorts: ['name'] })).toEqual(['Alpha Tools', 'beta tools', 'Gamma']);
  });

  it('take a sort as an object, as its JSON text, and as a name with or without a minus', async () => {
    const account = await stocked();
    const said = { propertyName: 'name', direction: 'DESCENDING' };
    for (const sort of [said, JSON.stringify(said), '-name'])
      expect(await names(account, { sorts: [sort] })).toEqual(['Gamma', 'beta tools', 'Alpha Tools']);
    for (const sorts of [
      ['{'],
      [{ direction: 'ASCENDING' }],
      [{ ...said, direction: 'DOWN' }],
      ['a', 'b'],
      [7],
    ])
      expect((await account.call('POST', `${COMPANIES}/search`, { sorts })).status).toBe(400);
  });

  it('come in pages with a total', async () => {
    const account = await stocked();
    const first = await account.call('POST', `${COMPANIES}/search`, { limit: 2 });
    expect(first.body).toMatchObject({ total: 3, paging: { next: { after: '2' } } });
    const second = await account.call('POST', `${COMPANIES}/search`, { limit: 2, after: '2' });
    expect(second.body.results).toHaveLength(1);
    expect(second.body).not.toHaveProperty('paging');
  });

  it('leave archived records out and find by free text', async () => {
    const account = openAccount();
    const id = await born(account, 'contact', { firstname: 'Ada', email: 'ada@example.com' });
    const found = () => account.call('POST', `${CONTACTS}/search`, { query: 'ada example.com' });
    expect((await found()).body.total).toBe(1);
    await account.person('archive', { objectType: 'contact', id });
    expect((await found()).body.total).toBe(0);
  });

  it('lag behind the records when the index does', async () => {
    const account = openAccount({ settings: { searchDelayMs: 5_000 } });
    const id = await born(account, 'company', { name: 'Before' });
    const find = (value: string) => names(account, where({ propertyName: 'name', operator: 'EQ', value }));
    expect(await find('Before')).toEqual([]);
    await account.clock.advance(5_000);
    expect(await find('Before')).toEqual(['Before']);
    await update(account, COMPANIES, id, { name: 'After' });
    expect(await find('After')).toEqual([]);
    expect(await find('Before')).toEqual(['After']);
  });

  it('are limited to five searches a second for the account, without limit headers', async () => {
    const account = openAccount();
    const search = () => account.call('POST', `${COMPANIES}/search`, {});
    for (let index = 0; index < 5; index += 1) {
      const { status, headers } = await search();
      expect(status).toBe(200);
      expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
    const refused = await search();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      errorType: 'RATE_LIMIT',
      policyName: 'SECONDLY',
      message: expect.any(String),
    });
    await account.clock.advance(1_000);
    expect((await search()).status).toBe(200);
  });
});
