import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#inside/kernel/clock.ts';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { begun, minutes, operator, untilEnded } from '../builders/old-portal.ts';
import { contact, somebody } from '../builders/people.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

const NOBODY_YET = { whom: { contacts: [{ name: 'nobody yet', enrich: false }] } };
const PLAIN = { questions: { wantEmail: false } };
/** A lookup by name costs more than by `PLAIN`. */
const WITH_PHONE = { questions: { wantEmail: false, wantPhone: true } };

/** Creates contacts that a rule keeps out, then removes the rule. Their names are all that is known of them. */
async function namedContacts(count: number): Promise<World & { readonly people: readonly RecordName[] }> {
  const world = await createWorld({ policy: { ...PLAIN, ...NOBODY_YET } });
  const people: RecordName[] = [];
  for (let index = 0; index < count; index += 1) {
    const { firstName: firstname, lastName: lastname, job } = somebody(world, index);
    const website = job.company.domains[0] ?? '';
    people.push(await world.portal.create('contacts', { firstname, lastname, website }));
  }
  await minutes(world, 10);
  expect(world.charged()).toBe(0);
  world.changePolicy(PLAIN);
  return { ...world, people };
}

/** Credits that the ledger has for the purpose of backfills. */
async function bookedForBackfills(world: World): Promise<number> {
  const own = (await world.ledger()).filter(
    ({ kind, purpose }) => kind === 'posted' && purpose === 'backfill',
  );
  return own.reduce((sum, { amountCredits }) => sum + amountCredits, 0);
}

describe('the credits of a backfill', () => {
  it('leave out what an event bought that joined the run of a record', async () => {
    const world = await namedContacts(3);
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    world.changePolicy(WITH_PHONE);
    const [first] = world.people;
    if (!first) throw new Error('There is no contact.');
    await world.portal.edit(first, { website: `www.${somebody(world).job.company.domains[0]}` });
    await untilEnded(world, id);
    const { state, ended, spent } = await command('backfill', 'status', id);
    expect(world.charged()).toBe(4);
    expect({ state, ended, spent }).toEqual({
      state: 'done',
      ended: 3,
      spent: await bookedForBackfills(world),
    });
  });
});
