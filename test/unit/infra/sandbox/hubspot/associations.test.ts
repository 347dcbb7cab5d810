import { describe, expect, it } from 'vitest';
import { type Account, type Body, born, CONTACTS, openAccount, read } from './account.ts';

async function pair(account: Account) {
  const contact = await born(account, 'contact', { firstname: 'Ada' });
  const company = await born(account, 'company', { name: 'Acme' });
  return { contact, company };
}

const companyOf = async (account: Account, id: string) =>
  (await read(account, CONTACTS, { id, properties: ['associatedcompanyid'] })).properties[
    'associatedcompanyid'
  ];

describe('associations', () => {
  it('keep the first company primary until another is named', async () => {
    const account = openAccount();
    const { contact, company } = await pair(account);
    const other = await born(account, 'company', { name: 'Other' });
    const associate = (companyId: string, primary = false) =>
      account.person('associate', { contactId: contact, companyId, primary });
    await associate(company);
    await associate(other);
    expect(await companyOf(account, contact)).toBe(company);
    await associate(other, true);
    expect(await companyOf(account, contact)).toBe(other);
    await account.person('dissociate', { contactId: contact, companyId: other });
    expect(await companyOf(account, contact)).toBeNull();
  });

  it('to a company come by themselves from a business address when the account does so', async () => {
    const account = openAccount({ settings: { associateByEmailDomain: true } });
    const ada = await born(account, 'contact', { email: 'ada@acme.example' });
    const bob = await born(account, 'contact', { email: 'bob@acme.example' });
    await born(account, 'contact', { email: 'eve@gmail.com' });
    const { records } = (await account.call('GET', '/_sandbox/records?kind=company')).body;
    expect(records.map(({ properties }: Body) => properties['domain'])).toEqual(['acme.example']);
    expect(await companyOf(account, ada)).toBe(records[0]?.id);
    expect(await companyOf(account, bob)).toBe(records[0]?.id);
  });
});
