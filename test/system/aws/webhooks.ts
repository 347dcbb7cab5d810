import { recordKey } from '#shared/crm';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import { profileUrlOf, someCompany, somePerson } from '../../harness/people.ts';
import { type Checklist, holds, same } from './checklist.ts';
import { untilLogged } from './lambda.ts';
import type { Scene } from './scene.ts';

/** Checks that new records are enriched once. */
export async function checkWebhooks(checklist: Checklist, scene: Scene): Promise<void> {
  const { stack, standIns } = scene;
  const { portal } = standIns;
  const created: RecordName[] = [];
  await checklist.check(
    'a contact and a company created in HubSpot are enriched',
    async () => {
      const [person, company] = [somePerson(standIns), someCompany(standIns, 3)];
      const contact = await portal.create('contacts', { hs_linkedin_url: profileUrlOf(person) });
      const other = await portal.create('companies', { domain: company.domains[0] });
      created.push(contact, other);
      for (const record of created)
        same('The outcome', (await stack.ended(record)).outcome?.kind, 'enriched');
      const { jobtitle, email, enrichment_status: status } = await portal.properties(contact);
      const wanted = { jobtitle: person.job.title, email: person.job.email, status: 'enriched' };
      same('The contact', { jobtitle, email, status }, wanted);
      const { name, enrichment_status } = await portal.properties(other);
      same('The company', { name, enrichment_status }, { name: company.name, enrichment_status: 'enriched' });
    },
    { isBasis: true },
  );
  await checklist.check('the ledger equals the bill of the data service', () => ledgerEqualsBill(scene));
  await checklist.check('what HubSpot delivers twice is free', async () => {
    const before = standIns.charged();
    for (const record of created) {
      await portal.redeliver(record);
      await portal.redeliver(record);
    }
    for (const record of created)
      await untilLogged(stack.name, '"record-skipped"', '"repeat"', `"${recordKey(record)}"`);
    same('The bill', standIns.charged(), before);
    for (const record of created) same('The number of runs', (await stack.state(record))?.runsOpened, 1);
  });
}

/**
 * Checks that only HubSpot's deliveries are accepted.
 * @returns a contact without a webhook, if it could be created
 */
export async function checkSignatures(checklist: Checklist, scene: Scene): Promise<RecordName | undefined> {
  const { stack, standIns } = scene;
  let unannounced: RecordName | undefined;
  await checklist.check('a webhook without a signature gets 401 and queues nothing', async () => {
    const contact = await standIns.createUnannounced({
      hs_linkedin_url: profileUrlOf(somePerson(standIns, 5)),
    });
    unannounced = contact;
    await refusesUnsigned(scene, contact);
    await contactIsEnriched(scene, 2);
    same('What is known of its record', await stack.state(contact), undefined);
  });
  return unannounced;
}

/** Sends deliveries about the record that HubSpot did not sign. */
export async function refusesUnsigned({ stack }: Pick<Scene, 'stack'>, { id }: RecordName): Promise<void> {
  const event = {
    eventId: 1,
    subscriptionType: 'object.creation',
    objectTypeId: '0-1',
    objectId: Number(id),
    portalId: 24_170_001,
    occurredAt: Date.now(),
  };
  const body = JSON.stringify([event]);
  const headers = { 'content-type': 'application/json' };
  const forged = {
    'x-hubspot-request-timestamp': String(Date.now()),
    'x-hubspot-signature-v3': Buffer.alloc(32).toString('base64'),
  };
  for (const more of [{}, forged]) {
    const { status } = await fetch(await stack.output('WebhookUrl'), {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
    });
    same('The answer', status, 401);
  }
}

/** @returns the sum, in words */
export async function ledgerEqualsBill({ stack, standIns }: Scene): Promise<string> {
  const { ok, lifetime } = await stack.cli('ledger', 'verify');
  holds(ok, 'The ledger does not hold.');
  holds(standIns.charged() > 0, 'Nothing was charged.');
  const { posted, pending, doubtful } = lifetime;
  same('The ledger', { posted, pending, doubtful }, { posted: standIns.charged(), pending: 0, doubtful: 0 });
  return `${posted} credits`;
}

/** Creates a contact of a new person for each number, and waits until it is enriched. */
export async function contactIsEnriched({ stack, standIns }: Scene, index: number): Promise<RecordName> {
  const contact = await standIns.portal.create('contacts', {
    hs_linkedin_url: profileUrlOf(somePerson(standIns, index)),
  });
  same('The outcome', (await stack.ended(contact)).outcome?.kind, 'enriched');
  return contact;
}
