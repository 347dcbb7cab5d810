import { describe, expect, it } from 'vitest';
import { type Account, type Body, born, COMPANIES, openAccount } from './account.ts';

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
  return answer.body.results.map((one: Body) => one.properties.name);
}

const where = (...filters: object[]) => ({ filterGroups: [{ filters }] });

describe('search filters', () => {
  const [alpha, beta, gamma] = ['Alpha Tools', 'beta tools', 'Gamma'];
  const size = 'numberofemployees';
  const noon = String(Date.UTC(2026, 10, 21, 12));
  it.each([
    ['EQ ignores the case of text', 'name', 'EQ', { value: 'ALPHA TOOLS' }, [alpha]],
    ['EQ keeps the case of options', 'industry', 'EQ', { value: 'banking' }, []],
    ['LTE', size, 'LTE', { value: '10' }, [alpha, beta]],
    ['GT', size, 'GT', { value: '10' }, [gamma]],
    ['BETWEEN', size, 'BETWEEN', { value: '9', highValue: '10' }, [alpha, beta]],
    ['IN wants text in lower case', 'name', 'IN', { values: ['gamma', 'Beta Tools'] }, [gamma]],
    ['NOT_HAS_PROPERTY', 'domain', 'NOT_HAS_PROPERTY', {}, [alpha, beta]],
    ['GT on a datetime', 'createdate', 'GT', { value: noon }, [gamma]],
  ])('%s', async (_, propertyName, operator, wanted, expected) => {
    expect(await names(await stocked(), where({ propertyName, operator, ...wanted }))).toEqual(expected);
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
    ];
    for (const body of bad)
      expect((await account.call('POST', `${COMPANIES}/search`, body)).status).toBe(400);
  });
});
