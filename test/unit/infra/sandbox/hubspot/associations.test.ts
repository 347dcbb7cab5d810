import { describe, expect, it } from 'vitest';
import { type Account, type Body, born, COMPANIES, CONTACTS, openAccount, read } from './account.ts';

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
    const create = (inputs: object[]) =>
      account.call('POST', '/crm/associations/2026-09/contacts/companies/batch/create', { inputs });
    const to = (id: string, associationTypeId: number) => ({
      from: { id: contact },
      to: { id },
      types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
    });
    await create([to(company, 279), to(other, 279)]);
    expect(await companyOf(account, contact)).toBe(company);
    await create([to(other, 1)]);
    expect(await companyOf(account, contact)).toBe(other);
    const archive = { inputs: [{ from: { id: contact }, to: [{ id: other }] }] };
    await account.call('POST', '/crm/associations/2026-09/contacts/companies/batch/archive', archive);
    expect(await companyOf(account, contact)).toBeNull();
  });

  it('to a company come by themselves from a business address when the account does so', async () => {
    const account = openAccount({ settings: { associateByEmailDomain: true } });
    const ada = await born(account, 'contact', { email: 'ada@acme.example' });
    const bob = await born(account, 'contact', { email: 'bob@acme.example' });
    await born(account, 'contact', { email: 'eve@gmail.com' });
    const { body } = await account.call('GET', COMPANIES);
    expect(body.results.map(({ properties }: Body) => properties['domain'])).toEqual(['acme.example']);
    expect(await companyOf(account, ada)).toBe(body.results[0]?.id);
    expect(await companyOf(account, bob)).toBe(body.results[0]?.id);
  });
});
