import { describe, expect, it } from 'vitest';
import { applyPolicy, archivedPolicyKind, beginApply, findApply } from '#shared/extensions/policy-change';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { operator, untilEnded } from '../harness/old-portal.ts';
import { contact, createCompany } from '../harness/people.ts';
import {
  applied,
  compared,
  heldValues,
  operatorOf,
  type PolicyChange,
  policyOf,
  undone,
} from '../harness/policy-change.ts';
import { isDrained, liveOn, refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Some contacts and companies, enriched; of one contact a person has said what the job is. */
async function lived(options: Parameters<typeof createWorld>[0] = {}) {
  const world = await createWorld(options);
  for (let index = 0; index < 5; index += 1) await contact(world, index);
  const queen = await contact(world, 5, { jobtitle: 'Queen of everything' });
  for (let index = 0; index < 3; index += 1) await createCompany(world, index);
  await settleDown(world);
  return { world, queen };
}

const FIELD_ADDED: PolicyChange = {
  fields: { contacts: { fax: { from: 'name', convert: 'text', write: 'ours' } } },
};

const MODE_WIDENED: PolicyChange = { fields: { contacts: { jobtitle: { write: 'always' } } } };

it('a field that is added is foretold, written for 0 credits to where it was foretold, and taken back as a whole', async () => {
  const { world } = await lived();
  const [charged, before] = [world.charged(), await heldValues(world)];
  const { writes, nextCycle } = await compared(world, FIELD_ADDED);
  expect(writes).toMatchObject({ records: 9, apply: { records: 6, values: 6 } });
  expect(writes.totals).toMatchObject({ added: 6, changed: 0, lost: 0, overPeople: 0 });
  expect(nextCycle.after).toBe(nextCycle.before);
  expect(await heldValues(world)).toEqual(before);

  const report = await applied(world, FIELD_ADDED);
  expect(report).toMatchObject({ records: 9, written: writes.apply, waiting: 0, failed: 0 });
  expect((await compared(world, FIELD_ADDED)).writes.apply.values).toBe(0);
  expect((await applied(world, FIELD_ADDED, 'apply-2')).written).toEqual({
    records: 0,
    values: 0,
    notices: 0,
  });
  expect(await undone(world)).toBe(6);
  expect(await heldValues(world)).toEqual(before);
  expect((await applied(world, FIELD_ADDED, 'apply-3')).written.values).toBe(0);
  expect(world.charged()).toBe(charged);
  await settleDown(world);
  expect(await isDrained(world)).toBe(true);
});

it('a mode that is widened says whose value would be written over, and an undo brings it back', async () => {
  const { world, queen } = await lived();
  const { writes } = await compared(world, MODE_WIDENED);
  expect(writes.properties).toEqual({
    'contacts.jobtitle': expect.objectContaining({
      added: 1,
      lost: 0,
      overPeople: 1,
      protectedBefore: 1,
      protectedAfter: 0,
    }),
  });
  expect((await applied(world, MODE_WIDENED)).written).toEqual({ records: 1, values: 1, notices: 0 });
  expect((await world.portal.properties(queen))['jobtitle']).not.toBe('Queen of everything');
  expect(await undone(world)).toBe(1);
  expect((await world.portal.properties(queen))['jobtitle']).toBe('Queen of everything');
});

it('a field that is no longer written counts as lost where the value is kept up to date now, and nothing is written', async () => {
  const { world } = await lived();
  const { writes } = await compared(world, { fields: { contacts: { jobtitle: { write: 'never' } } } });
  expect(writes.totals).toMatchObject({ added: 0, lost: 5 });
  expect(writes.apply.values).toBe(0);
});

describe('an option that is wanted now', () => {
  it('is counted for the records whose stored answer lacks it, until their refresh has bought it', async () => {
    const { world } = await lived();
    const wantsPhone: PolicyChange = { version: 'next', questions: { wantPhone: true } };
    expect((await compared(world, {})).lacking).toEqual({});
    expect((await compared(world, wantsPhone)).lacking).toEqual({ phone: 6 });
    Object.assign(world.policy, policyOf(wantsPhone));
    const charged = world.charged();
    await applied(world, wantsPhone);
    expect(world.charged()).toBe(charged);
    await refreshAfter(world, 400 * DAY_MS);
    expect((await compared(world, wantsPhone)).lacking).toEqual({});
  });

  it('is bought at once by a backfill, by the profile that is known, within its quote', async () => {
    const { world } = await lived();
    const wantsPhone: PolicyChange = { version: 'next', questions: { wantPhone: true } };
    Object.assign(world.policy, policyOf(wantsPhone));
    await applied(world, wantsPhone);
    const command = operator(world);
    const { id, quote, strata } = await command('backfill', 'quote', '--objects', 'contacts');
    expect(quote).toMatchObject({ atMost: 24 });
    expect(strata).toMatchObject([{ records: 6, maxCredits: 4 }]);
    const charged = world.charged();
    await command('backfill', 'run', id, '--yes');
    await untilEnded(world, id);
    expect(world.charged()).toBe(charged + 24);
    expect((await compared(world, wantsPhone)).lacking).toEqual({});
  });
});

const WITHOUT_EMAIL: PolicyChange = { version: 'now', questions: { wantEmail: false } };
const WITH_EMAIL: PolicyChange = { version: 'next', questions: { wantEmail: true } };

it('the price of one refresh of all records is the most that the refresh then costs', async () => {
  const { world } = await lived({ policy: WITHOUT_EMAIL });
  const { before, after } = (await compared(world, WITH_EMAIL)).nextCycle;
  expect(after).toBeGreaterThan(before);

  Object.assign(world.policy, policyOf(WITH_EMAIL));
  const charged = world.charged();
  await refreshAfter(world, 400 * DAY_MS);
  const cost = world.charged() - charged;
  expect(cost).toBeGreaterThan(before);
  expect(cost).toBeLessThanOrEqual(after);
});

describe('policy apply', () => {
  it('judges by new rules whose notice is due, and takes the date back where none is', async () => {
    const { world } = await lived();
    const dueDays = async () => {
      const contacts = (await world.states()).filter(({ objectType }) => objectType === 'contacts');
      const days = contacts.map(
        async (each) => (await world.portal.properties(each))['enrichment_notice_due'],
      );
      return (await Promise.all(days)).filter(Boolean).length;
    };
    const told: PolicyChange = { privacy: { notice: [{ name: 'all', days: 10 }] } };
    const { apply } = (await compared(world, told)).writes;
    expect(apply).toEqual({ records: 6, values: 0, notices: 6 });
    expect((await applied(world, told)).written).toEqual(apply);
    expect(await dueDays()).toBe(6);
    expect((await applied(world, {}, 'apply-2')).written).toEqual({ records: 6, values: 0, notices: 6 });
    expect(await dueDays()).toBe(0);
  });

  it('leaves alone what a person asks for, what is being worked on, and answers that are too old', async () => {
    const { world, queen } = await lived({ policy: { freshness: { contactsDays: 10, companiesDays: 90 } } });
    await world.clock.sleep(9 * DAY_MS);
    await world.portal.edit(queen, { enrichment_requested: 'true' });
    const report = await applied(world, FIELD_ADDED);
    expect(report.left).toEqual({ 'asked-for': 1 });
    expect(report.written.records).toBe(5);
    await world.clock.sleep(2 * DAY_MS);
    expect((await applied(world, MODE_WIDENED, 'apply-2')).left).toMatchObject({ 'too-old': 5 });
  });

  it('writes no answer to a record that has become somebody else', async () => {
    const { world, queen } = await lived();
    await world.portal.edit(queen, {
      hs_linkedin_url: 'https://www.linkedin.com/in/somebody-else',
      email: '',
    });
    const report = await applied(world, FIELD_ADDED);
    expect(report.left).toEqual({ 'other-record': 1 });
    expect((await world.portal.properties(queen))['fax']).toBeUndefined();
  });

  it('is finished by the workers for 0 credits where HubSpot failed in the middle', async () => {
    const { world } = await lived();
    const charged = world.charged();
    const input = { ...FIELD_ADDED, questions: { wantPhone: true } };
    await world.portal.change({
      faults: [{ path: 'batch/update', kind: 'reset-after', rate: 1, times: 8 }],
    });
    expect(await applied(world, input)).toMatchObject({ written: { records: 0 }, waiting: 6 });
    // The workers have the new policy too, by which more would be bought than is stored.
    Object.assign(world.policy, policyOf(input));
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect(world.charged()).toBe(charged);
    expect(await isDrained(world)).toBe(true);
    expect(await undone(world)).toBe(6);
  });

  it('writes nothing more after an undo has stopped it, and says so', async () => {
    const { world } = await lived();
    const before = await heldValues(world);
    const services = operatorOf(world, policyOf(FIELD_ADDED));
    const report = await applyPolicy(services, { id: 'apply-1', isStopped: async () => true });
    expect(report).toMatchObject({ isStopped: true, written: { records: 0, values: 0 } });
    expect(await heldValues(world)).toEqual(before);
  });

  it.each(['--apply', '--from'])(
    'is stopped for good by an undo with %s, which takes back what it wrote',
    async (option) => {
      const { world } = await lived();
      await liveOn(world, { forMs: HOUR_MS, everyMs: HOUR_MS });
      const before = await heldValues(world);
      const begunAt = new Date(world.clock.now()).toISOString();
      const services = {
        ...operatorOf(world, policyOf(FIELD_ADDED)),
        policies: world.items(archivedPolicyKind),
      };
      const id = await beginApply(services, services.policy);
      expect((await applyPolicy(services, { id })).written.values).toBe(6);
      await openConsole(world)('undo', option, option === '--apply' ? id : begunAt, '--yes');
      expect(await findApply(services, id)).toMatchObject({ endedAtMs: expect.any(Number) });
      expect(await heldValues(world)).toEqual(before);
    },
  );

  it('that is cut off goes on under the same id, and what the workers finish is taken back with it', async () => {
    const { world } = await lived();
    const [charged, before] = [world.charged(), await heldValues(world)];
    const services = operatorOf(world, policyOf(FIELD_ADDED));
    const crm = { ...services.crm, until: () => ({ ...services.crm, write: writeAndDie(services.crm) }) };
    await expect(applyPolicy({ ...services, crm }, { id: 'apply-1' })).rejects.toThrow('killed');
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect((await applied(world, FIELD_ADDED)).written.values).toBe(0);
    expect(await undone(world)).toBe(6);
    expect(await heldValues(world)).toEqual(before);
    expect(world.charged()).toBe(charged);
    expect(await isDrained(world)).toBe(true);
  });
});

function writeAndDie({ write }: World['services']['crm']): World['services']['crm']['write'] {
  return async (change) => {
    await write(change);
    throw new Error('killed');
  };
}

const FAX: PolicyChange = {
  fields: { contacts: { fax: { from: 'name', convert: 'text', write: 'fill-blank' } } },
};

it('a property that a person emptied stays empty at policy apply, as policy compare says', async () => {
  const world = await createWorld();
  const [emptied, other] = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  await world.portal.edit(emptied, { fax: 'Rome' });
  await world.portal.edit(emptied, { fax: '' });
  expect((await compared(world, FAX)).writes.apply).toEqual({ records: 1, values: 1, notices: 0 });
  expect((await applied(world, FAX)).written).toEqual({ records: 1, values: 1, notices: 0 });
  const faxOf = async (record: RecordName) => (await world.portal.properties(record))['fax'] ?? '';
  expect(await faxOf(emptied)).toBe('');
  expect(await faxOf(other)).not.toBe('');
});
