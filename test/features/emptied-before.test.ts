import { describe, expect, it } from 'vitest';
import { DEFAULT_CONTACT_FIELDS } from '#inside/field-policy/default-fields.ts';
import type { Send } from '#shared/http';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { because } from '#shared/records';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { cardOf } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { applied, compared, type PolicyChange, policyOf } from '../harness/policy-change.ts';
import { isDrained, liveOn, refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

/** Somebody types a value, and takes it away: nobody of ours has looked in between. */
async function typedAndEmptied(world: World, record: RecordName, property: string): Promise<void> {
  await world.portal.edit(record, { [property]: 'Rome' });
  await world.portal.edit(record, { [property]: '' });
}

const FAX: PolicyChange = {
  fields: { contacts: { fax: { from: 'name', convert: 'text', write: 'fill-blank' } } },
};

const held = async (world: World, record: RecordName, property: string) =>
  (await world.portal.properties(record))[property] ?? '';

describe('a property that was emptied before our first look', () => {
  it('stays empty at a first enrichment, until somebody asks for the record', async () => {
    const world = await createWorld();
    const record = await contact(world);
    await typedAndEmptied(world, record, 'city');
    await settleDown(world);
    expect(await held(world, record, 'city')).toBe('');
    expect(await held(world, record, 'jobtitle')).toBe(somePerson(world).job.title);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(await held(world, record, 'city')).toBe(somePerson(world).place.city);
    expect(await isDrained(world)).toBe(true);
  });

  it('stays empty at a backfill', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { questions: { wantEmail: false } } });
    const record = await contact(world);
    await typedAndEmptied(world, record, 'city');
    await world.clock.sleep(DAY_MS + HOUR_MS);
    const run = openConsole(world);
    const { id } = JSON.parse((await run('backfill', 'quote', '--objects', 'contacts', '--json')) ?? '');
    await run('backfill', 'run', id, '--yes', '--json');
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await held(world, record, 'jobtitle')).toBe(somePerson(world).job.title);
    expect(await held(world, record, 'city')).toBe('');
  });

  it('is nothing to pay for where it is all that could be filled', async () => {
    const never = DEFAULT_CONTACT_FIELDS.map(({ property }) => [property, { write: 'never' }] as const);
    const contacts = { ...Object.fromEntries(never), city: { write: 'fill-blank' as const } };
    const world = await createWorld({ policy: { fields: { contacts }, questions: { wantEmail: false } } });
    const record = await contact(world);
    await typedAndEmptied(world, record, 'city');
    await contact(world, 1);
    await settleDown(world);
    expect(await world.state(record)).toMatchObject({ outcome: { kind: 'skipped', credits: 0 } });
    expect(world.charged()).toBe(1);
  });
});

describe('a property that was emptied between two of our looks', () => {
  it('stays empty, typed and taken away while the question was asked', async () => {
    let meanwhile = async () => {};
    const through =
      (send: Send): Send =>
      async (request) => {
        if (request.url.startsWith(DATA_SERVICE_URL)) await meanwhile();
        return send(request);
      };
    const world = await createWorld({ through });
    const record = await contact(world);
    meanwhile = () => typedAndEmptied(world, record, 'city');
    await settleDown(world);
    expect(await held(world, record, 'jobtitle')).toBe(somePerson(world).job.title);
    await refreshAfter(world, 181 * DAY_MS);
    expect(await held(world, record, 'city')).toBe('');
  });

  it('stays empty at a refresh, of a property that the policy did not know', async () => {
    const world = await createWorld();
    const record = await contact(world);
    await settleDown(world);
    await typedAndEmptied(world, record, 'fax');
    Object.assign(world.policy, policyOf(FAX));
    await refreshAfter(world, 181 * DAY_MS);
    expect(await held(world, record, 'fax')).toBe('');
    expect(world.charged()).toBeGreaterThan(3);
  });

  it('stays empty at policy apply, as policy compare says', async () => {
    const world = await createWorld();
    const [emptied, other] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    await typedAndEmptied(world, emptied, 'fax');
    expect((await compared(world, FAX)).writes.apply).toEqual({ records: 1, values: 1 });
    expect((await applied(world, FAX)).written).toEqual({ records: 1, values: 1 });
    expect(await held(world, emptied, 'fax')).toBe('');
    expect(await held(world, other, 'fax')).not.toBe('');
  });
});

/** A contact found by its email for 1 credit. People filled its email, its names and its website. */
async function byEmail(options: WorldOptions = {}) {
  const world = await createWorld(options);
  const { firstName: firstname, lastName: lastname, job } = somePerson(world);
  const email = job.email ?? '';
  const website = email.split('@')[1] ?? '';
  const record = await world.portal.create('contacts', { email, firstname, lastname, website });
  await settleDown(world);
  expect(world.charged()).toBe(1);
  return { world, record };
}

describe('an email that a person empties', () => {
  it.each(['undo', 'wrong-match'] as const)(
    'causes no lookup after the whole answer is taken back: %s',
    async (kind) => {
      const { world, record } = await byEmail();
      const run = { recordId: record.id, number: 1 };
      const { progress } = await cardOf(world, record).ask({ id: 'card-take-back-1', kind, run });
      expect(progress?.reply).toMatchObject({ kind: 'undone', kept: [] });
      await world.portal.edit(record, { email: '' });
      await settleDown(world);
      expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', credits: 0 });
      expect(world.charged()).toBe(1);
    },
  );

  it('causes no lookup by name, because the last answer has this name and company', async () => {
    const { world, record } = await byEmail();
    await world.portal.edit(record, { email: '' });
    await settleDown(world);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'unchanged', credits: 0 });
    expect(world.charged()).toBe(1);
    // A request may fill the email again, and the last answer has none.
    const card = cardOf(world, record);
    const { progress } = await card.ask({ id: 'card-quote-1', kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { credits: 3 } });
  });

  it('makes a quote by name free, if it asks for no email', async () => {
    const { world, record } = await byEmail({ policy: { questions: { wantEmail: false } } });
    await world.portal.edit(record, { email: '' });
    await settleDown(world);
    const card = cardOf(world, record);
    const { progress } = await card.ask({ id: 'card-quote-1', kind: 'quote' });
    expect(progress?.reply).toMatchObject({
      quote: { credits: 0, questions: [{ operation: 'lookUpPerson', credits: 0 }] },
    });
    const tried = await openConsole(world)('enrich', `contacts/${record.id}`, '--dry-run', '--json');
    expect(JSON.parse(tried ?? '')).toMatchObject({
      ...{ credits: 0, verdict: because('matched', { operation: 'lookUpPerson' }) },
    });
    await card.ask({ id: 'card-enrich-1', kind: 'enrich', maxCredits: 0 });
    expect(world.charged()).toBe(1);
  });

  it('leads to a lookup by name, if a person rejected the last answer', async () => {
    const { world, record } = await byEmail({ policy: { questions: { wantEmail: false } } });
    const run = { recordId: record.id, number: 1 };
    const card = cardOf(world, record);
    await card.ask({ id: 'card-wrong-1', kind: 'wrong-match', run });
    await world.portal.edit(record, { email: '' });
    await settleDown(world);
    await card.ask({ id: 'card-enrich-1', kind: 'enrich', maxCredits: 1 });
    expect(world.charged()).toBe(2);
  });

  it('leads to a lookup by another name', async () => {
    const { world, record } = await byEmail();
    const { firstName: firstname, lastName: lastname } = somePerson(world, 1);
    await world.portal.edit(record, { email: '', firstname, lastname });
    await settleDown(world);
    expect(world.wire.questions()).toHaveLength(2);
  });
});
