import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import type { HomeRequest } from '../../functions/serve-hubspot/schemas.ts';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { somePerson } from '../harness/people.ts';
import { settleDown, verify } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const LISTED = ['1001'];
const PEOPLE = { creditsPerDay: 2, spend: LISTED, decide: LISTED, approve: LISTED, resume: LISTED };
const OTHER = 1002;

/** Contacts from before the installation. They are looked up only if a person asks. */
async function oldContacts(count: number): Promise<World & { readonly contacts: readonly RecordName[] }> {
  const world = await createWorld({ policy: { people: PEOPLE }, agedMs: DAY_MS });
  const contacts: RecordName[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = somePerson(world, index).job.email ?? '';
    contacts.push(await world.portal.create('contacts', { email }));
  }
  await settleDown(world);
  expect(world.charged()).toBe(0);
  return { ...world, contacts };
}

describe('decisions on the home page', () => {
  const DECISIONS: readonly HomeRequest[] = [
    { id: 'decision-1', kind: 'resume-spending' },
    { id: 'decision-2', kind: 'backfill', backfillId: 'none', move: 'start', maxCredits: 1 },
    { id: 'decision-3', kind: 'backfill', backfillId: 'none', move: 'resume' },
    { id: 'decision-4', kind: 'admit', purpose: 'import', maxCredits: 1 },
  ];

  it.each(DECISIONS)('$kind needs a listed user, and a refusal names whom to ask', async (decision) => {
    const world = await createWorld({ policy: { people: PEOPLE } });
    const refused = { kind: 'refused', code: 'user-not-listed', params: { users: '1001' } };
    expect(await homeOf(world, { userId: OTHER }).decide(decision)).toMatchObject(refused);
    const allowed = await homeOf(world).decide({ ...decision, id: `${decision.id}-again` });
    expect(allowed).not.toMatchObject({ code: 'user-not-listed' });
  });

  it('is refused to everybody where no user is listed', async () => {
    const world = await createWorld({ policy: { people: {} } });
    await homeOf(world).decide({ id: 'stop-all', kind: 'stop-spending' });
    const resumed = await homeOf(world).decide({ id: 'resume-all', kind: 'resume-spending' });
    expect(resumed).toMatchObject({ code: 'nobody-listed', params: { setting: 'people.resume' } });
    expect((await world.services.questions.breakers.read()).stopped).toBeDefined();
  });

  it('stop spending for every user', async () => {
    const world = await createWorld({ policy: { people: PEOPLE } });
    const stopped = await homeOf(world, { userId: OTHER }).decide({ id: 'stop-all', kind: 'stop-spending' });
    expect(stopped).toMatchObject({ code: 'spending-stopped' });
  });
});

describe('decisions on the card', () => {
  it('accept the identity of another person only for listed users', async () => {
    const world = await oldContacts(1);
    const [record = { objectType: 'contacts', id: '' }] = world.contacts;
    const accept = { kind: 'accept', foundAtMs: 1 } as const;
    const reply = async (user: string, finding: 'contradiction' | 'job-change') => {
      const id = `accept-${user}-${finding}`;
      return (await cardOf(world, record, user).ask({ ...accept, id, finding })).progress?.reply;
    };
    expect(await reply('1002', 'contradiction')).toMatchObject({ code: 'user-not-listed' });
    expect(await reply('1001', 'contradiction')).toMatchObject({ code: 'finding-closed' });
    expect(await reply('1002', 'job-change')).toMatchObject({ code: 'finding-closed' });
  });
});

describe('the credits of a user in a day', () => {
  it('end at the limit, also for requests at the same moment, and begin again on the next day', async () => {
    const world = await oldContacts(4);
    const enrich = (record: RecordName, user: string) =>
      cardOf(world, record, user).post({ id: `enrich-${record.id}`, kind: 'enrich', maxCredits: 9 });
    const [first, second, third, fourth] = world.contacts as [RecordName, RecordName, RecordName, RecordName];
    await Promise.all([first, second, third].map((record) => enrich(record, '1002')));
    await settleDown(world);
    expect(world.charged()).toBe(2);
    const { progress } = await cardOf(world, fourth, '1002').ask({ id: 'quote-other', kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { credits: 1, waitsFor: 'budget' } });
    const listed = await cardOf(world, fourth).ask({ id: 'quote-listed', kind: 'quote' });
    expect(listed.progress?.reply).not.toHaveProperty('quote.waitsFor');
    await enrich(fourth, '1001');
    await settleDown(world);
    expect(world.charged()).toBe(3);
    await world.clock.sleep(DAY_MS);
    await world.processes.reconcile();
    await settleDown(world);
    expect(world.charged()).toBe(4);
    await verify(world);
  });
});
