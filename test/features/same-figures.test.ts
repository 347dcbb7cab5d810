import { describe, expect, it } from 'vitest';
import { DAY_MS, dayOf, MINUTE_MS } from '#shared/kernel';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import { aged, begun, minutes, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { oldContact, settled, settledContact } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Error of a command. */
async function refusalOf(world: World, ...argv: readonly string[]) {
  let refused: { readonly code: string; readonly exit: number } | undefined;
  await openConsole(world, {}, ({ code, exit }) => {
    refused = { code, exit };
  })(...argv, '--json');
  return refused;
}

const homeNow = async (world: World) => {
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  const { view } = await homeOf(world).show();
  if (!view) throw new Error('The home page is not stored.');
  return view;
};

it('every face shows one start of a waiting record, whatever other records cost', async () => {
  const world = await createWorld({ agedMs: DAY_MS, policy: { budgets: { perDay: 18 } } });
  const dear = [];
  for (let index = 0; index < 10; index += 1)
    if (index % 2 === 0) dear.push(await contact(world, index));
    else await world.portal.create('contacts', { email: somePerson(world, index).job.email ?? '' });
  await aged(world);
  const command = operator(world);
  await begun(command, 'contacts');
  await minutes(world, 20);
  const { waiting } = await command('spend');
  const home = (await homeNow(world)).waiting;
  const states = await Promise.all(dear.map((record) => world.state(record)));
  const waiters = dear.filter((_, index) => states[index]?.waiting);
  expect(waiters.length).toBeGreaterThan(0);
  const starts = new Set([waiting.inTurn[0].refusal.opensAtMs, home[0]?.nextMs]);
  for (const record of waiters) {
    const { standing } = (await cardOf(world, record).show()).view;
    if (standing.kind === 'waiting') starts.add(standing.afterMs);
    starts.add(Date.parse((await command('explain', `contacts/${record.id}`)).waiting.until));
  }
  expect(starts.size).toBe(1);
  // The last start is estimated to the day.
  expect(home[0]).toMatchObject({ lastDay: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
});

it('the days of a backfill are those of what is left, at the terminal and on the home page', async () => {
  const policy = {
    budgets: { perDay: 50 },
    backfill: { trial: 15, trialPerStratum: 15 },
    people: { approve: ['1001'] },
  };
  const world = await oldPortal(60, { policy, isKnown: () => true });
  const command = operator(world);
  const daysAtHome = async () => {
    const { needs } = await homeNow(world);
    const need = needs.find(({ kind }) => kind === 'backfill');
    return need?.kind === 'backfill' ? need.days : undefined;
  };
  const { id, days, leftPerDay } = await command('backfill', 'quote', '--objects', 'contacts');
  expect([days, await daysAtHome(), leftPerDay]).toEqual([2, 2, 50]);
  const start = { kind: 'backfill', backfillId: id, move: 'start', maxCredits: 15 } as const;
  await homeOf(world).decide({ id: 'start-it-1', ...start });
  await minutes(world, 20);
  const after = await command('backfill', 'status', id);
  expect(after).toMatchObject({ state: 'approval', days: 1 });
  expect(await daysAtHome()).toBe(1);
});

const NOBODY = 'https://www.linkedin.com/in/nobody-at-all';

describe('what lookups found', () => {
  it('a doubt that was booked as charged is no miss on any face', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await settledContact(world);
    await world.clock.sleep(15 * MINUTE_MS);
    await world.processes.reconcile();
    const command = operator(world);
    const day = dayOf(world.clock.now(), world.policy.timeZone);
    await world.clock.sleep(3 * DAY_MS);
    await command('doubts', 'resolve', '--all', '--charged', '--note', 'usage list', '--yes');
    const { total } = await command('spend');
    const [source] = await command('spend', '--by', 'source');
    for (const part of [total, source]) {
      expect(part).toMatchObject({ credits: 3, charges: 1, wastedCredits: 0 });
      expect(part).not.toHaveProperty('matchRate');
    }
    const missed = await command('spend', 'charges', '--outcome', 'no-match');
    expect(missed.charges).toEqual([]);
    expect((await homeNow(world)).activity).toMatchObject([{ outcome: 'other', credits: 3, day }]);
    const charged = (await command('spend', '--by', 'day')).filter(
      ({ credits }: { credits: number }) => credits > 0,
    );
    expect(charged).toMatchObject([{ day, credits: 3 }]);
  });

  it('the match rate counts lookups that were answered, on each face', async () => {
    const world = await createWorld();
    const command = operator(world);
    await settledContact(world);
    await settledContact(world, 1, { hs_linkedin_url: NOBODY });
    const rates = async () => [
      (await command('spend')).total.matchRate,
      (await command('spend', '--by', 'operation'))[0].matchRate,
      (await homeNow(world)).policy.all.matchRate,
    ];
    expect(await rates()).toEqual([1 / 2, 1 / 2, 1 / 2]);
    const charged = world.charged();
    // The same person again: the stored answer is used.
    await settledContact(world);
    expect(world.charged()).toBe(charged);
    expect(await rates()).toEqual([1 / 2, 1 / 2, 1 / 2]);
  });

  it('runs verify counts a record that needs review apart', async () => {
    const world = await createWorld();
    await settled(world, contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' }));
    await settledContact(world, 1, { hs_linkedin_url: NOBODY });
    const { outcomes, ended } = await operator(world)('runs', 'verify');
    expect([outcomes.unmatched, outcomes.review, ended]).toEqual([1, 1, 2]);
  });
});

describe('nothing to do has the exit code 4', () => {
  it('for a record that a rule excludes', async () => {
    const rule = { name: 'nobody', enrich: false, onRequest: false };
    const { world, record } = await oldContact({ policy: { whom: { contacts: [rule] } } });
    const refused = await refusalOf(world, 'enrich', `contacts/${record.id}`, '--yes');
    expect(refused).toEqual({ code: 'not-admitted', exit: 4 });
  });

  it('for a forgotten person', async () => {
    const world = await createWorld();
    const record = await settledContact(world);
    await operator(world)('forget', `contacts/${record.id}`, '--yes');
    const refused = await refusalOf(world, 'enrich', `contacts/${record.id}`, '--yes');
    expect(refused).toEqual({ code: 'forgotten', exit: 4 });
  });

  it('for a backfill that is in this state already', async () => {
    const world = await oldPortal(6);
    const id = await begun(operator(world), 'contacts');
    for (const words of [
      ['pause', id],
      ['stop', id, '--yes'],
    ]) {
      await operator(world)('backfill', ...words);
      expect(await refusalOf(world, 'backfill', ...words)).toEqual({ code: 'not-in-state', exit: 4 });
    }
    expect(await refusalOf(world, 'backfill', 'resume', id)).toEqual({ code: 'not-in-state', exit: 4 });
  });

  it.each([
    ['that HubSpot does not have', 'no-record'],
    ['that was not looked up', 'no-run'],
  ])('for an explanation of a record %s', async (_, code) => {
    const world = await createWorld();
    const record = await contact(world);
    const id = code === 'no-record' ? '31337' : record.id;
    expect(await refusalOf(world, 'explain', `contacts/${id}`)).toEqual({ code, exit: 4 });
  });
});
