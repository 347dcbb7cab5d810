import { allKeys, forgetPerson, identifierKeys } from '#shared/questions';
import { settleDown } from '../../steps.ts';
import { createWorld, type World } from '../../world.ts';
import { bill } from './vendor-client.ts';

const NORA = { email: 'nora.vale@valeco.com', firstname: 'Nora', lastname: 'Vale' };
const IDA = { email: 'ida.vale@valeco.com' };
const NOBODY = { email: 'olga.nobody@valeco.com' };

async function charges({ ledger }: World) {
  const posted = (await ledger()).filter(({ kind }) => kind === 'posted');
  return posted.map(({ operation, amountCredits }) => `${operation} ${amountCredits}`).sort();
}

const fields = { contacts: { city: { from: 'raw.shoe/size', convert: 'text', write: 'ours' } } } as const;
const world = {
  ...(await createWorld({ policy: { fields } })),
  charged: () => bill.reduce((sum, credits) => sum + credits, 0),
};
const contact = await world.portal.create('contacts', NORA);
const company = await world.portal.create('companies', { domain: 'valeco.com' });
await world.portal.create('contacts', NOBODY);
await settleDown(world);
const { forgetting, digest } = world.services;
await forgetPerson(forgetting, allKeys(identifierKeys({ emails: [IDA.email] }, digest)));
const forgotten = await world.portal.create('contacts', IDA);
await settleDown(world);

const told = {
  contact: await world.portal.properties(contact),
  company: await world.portal.properties(company),
  outcome: (await world.state(contact))?.outcome,
  forgotten: (await world.state(forgotten))?.outcome,
  charges: await charges(world),
  bill,
  requestsToFirstVendor: world.dataService.bill().requests,
  violations: world.violations,
};
process.stdout.write(JSON.stringify(told));
