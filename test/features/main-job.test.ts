import { describe, expect, it } from 'vitest';
import { because, explanationText, withNotes } from '#shared/records';
import { contact, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { isDrained, settleDown, settled } from '../harness/steps.ts';
import { createWorld, SERVICE_LATENCY_MS } from '../harness/world.ts';

describe('a new record', () => {
  it('is filled, told of, and booked', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const contact = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(person) });
    await settleDown(world);
    expect(await world.portal.properties(contact)).toMatchObject({
      firstname: person.firstName,
      lastname: person.lastName,
      jobtitle: person.job.title,
      company: person.job.company.name,
      email: person.job.email,
      city: person.place.city,
      enrichment_status: 'enriched',
      enrichment_reason: explanationText(because('matched', { operation: 'personProfile' })),
      enrichment_credits: '3',
      enrichment_source: 'personProfile',
      enrichment_last_at: expect.stringMatching(/^2026-11-21T12:00:/),
    });
    expect((await world.ledger()).map(({ kind, amountCredits }) => [kind, amountCredits])).toEqual([
      ['pending', 3],
      ['posted', 3],
    ]);
    expect(await isDrained(world)).toBe(true);
  });

  it.each(['generic', 'classic'] as const)(
    'ends in the outcome that it deserves, with %s webhooks',
    async (eventStyle) => {
      const world = await createWorld({ hubSpot: { eventStyle } });
      const [byUrl, byEmail, byName, byPhone] = [0, 1, 2, 3].map((index) => somePerson(world, index));
      if (!byUrl || !byEmail || !byName || !byPhone) throw new Error('four people are wanted');
      const [company, other] = [someCompany(world, 3), someCompany(world, 40)];
      const rows = [
        ['contacts', { hs_linkedin_url: profileUrlOf(byUrl) }, 'enriched', 3],
        ['contacts', { email: byEmail.job.email ?? '' }, 'enriched', 1],
        [
          'contacts',
          {
            firstname: byName.firstName,
            lastname: byName.lastName,
            website: byName.job.company.domains[0],
          },
          'enriched',
          3,
        ],
        ['contacts', { email: 'nobody.there@unknown-firm.com' }, 'unmatched', 1],
        ['contacts', { firstname: 'Sam', email: 'sam.of.nowhere@gmail.com' }, 'skipped', 0],
        [
          'contacts',
          { hs_linkedin_url: profileUrlOf(byPhone), firstname: 'Xanthippe', lastname: 'Quux' },
          'unmatched',
          3,
        ],
        ['companies', { domain: company.domains[0] }, 'enriched', 1],
        ['companies', { name: other.name, domain: other.domains[0] }, 'enriched', 1],
        ['companies', { name: 'A name is not enough' }, 'skipped', 0],
      ] as const;
      const created = [];
      for (const [objectType, properties] of rows)
        created.push(await world.portal.create(objectType, properties));
      await settleDown(world, { workers: 2 });
      const states = await Promise.all(created.map((record) => world.state(record)));
      expect(states.map((state) => [state?.outcome?.kind, state?.creditsSpent])).toEqual(
        rows.map(([, , outcome, credits]) => [outcome, credits]),
      );
      const told = await Promise.all(created.map((record) => world.portal.properties(record)));
      expect(told.map(({ enrichment_status }) => enrichment_status)).toEqual(
        rows.map(([, , outcome], index) => (index === 5 ? 'review' : outcome)),
      );
      expect(told[5]).toMatchObject({ firstname: 'Xanthippe', lastname: 'Quux' });
      expect(told[5]).not.toHaveProperty('jobtitle');
      expect(world.charged()).toBe(13);
      expect(await isDrained(world)).toBe(true);
    },
  );

  it('is looked up by the domain of its company in HubSpot where it names none itself', async () => {
    const world = await createWorld({ hubSpot: { associateByEmailDomain: false } });
    const person = somePerson(world);
    const domain = person.job.company.domains[0];
    const company = await world.portal.create('companies', { domain });
    const { firstName: firstname, lastName: lastname } = person;
    const contact = await settled(world, world.portal.create('contacts', { firstname, lastname }, [company]));
    expect((await world.state(contact))?.outcome).toMatchObject({
      kind: 'enriched',
      reason: because('matched', { operation: 'lookUpPerson' }),
    });
  });
});

describe('repetition', () => {
  it('of one webhook, five times, before, during and after the work, costs one question and one write', async () => {
    const world = await createWorld({ hubSpot: { duplicateRate: 1 } });
    const record = await contact(world);
    await world.portal.redeliver(record);
    await world.portal.sandbox.deliverWebhooks();
    const working = world.processes.work();
    await world.clock.sleep(SERVICE_LATENCY_MS / 2);
    await world.portal.redeliver(record);
    await settleDown(world);
    await working;
    for (let time = 0; time < 2; time += 1) {
      await world.portal.redeliver(record);
      await settleDown(world);
    }
    await world.clock.sleep(60_000);
    await settleDown(world);
    expect(world.wire.questions().length).toBe(1);
    expect(world.wire.writes().length).toBe(1);
    expect((await world.state(record))?.outcomes).toMatchObject({ enriched: 1, unchanged: 0 });
    expect(await isDrained(world)).toBe(true);
  });
});

describe('two contacts of one person', () => {
  const spellings = (world: Parameters<typeof somePerson>[0]) => {
    const { networkSlug } = somePerson(world);
    return [
      { hs_linkedin_url: `https://www.linkedin.com/in/${networkSlug}` },
      { hs_linkedin_url: `http://de.linkedin.com/in/${networkSlug.toUpperCase()}/?utm_source=mail` },
    ];
  };

  it('in one batch cost one question', async () => {
    const world = await createWorld();
    for (const properties of spellings(world)) await world.portal.create('contacts', properties);
    await settleDown(world);
    expect((await world.states()).map(({ outcome }) => outcome?.kind)).toEqual(['enriched', 'enriched']);
    expect((await world.states()).map(({ creditsSpent }) => creditsSpent).sort()).toEqual([0, 3]);
    expect(world.wire.questions().length).toBe(1);
    const told = await Promise.all((await world.states()).map((record) => world.portal.properties(record)));
    expect(told.map(({ lastname }) => lastname)).toEqual([
      somePerson(world).lastName,
      somePerson(world).lastName,
    ]);
    // HubSpot lets no two contacts have one email: the rest is written all the same.
    const matched = because('matched', { operation: 'personProfile' });
    const refused = withNotes(matched, [because('property-refused', { property: 'email', why: 'CONFLICT' })]);
    expect(told.map(({ enrichment_reason }) => enrichment_reason).sort()).toEqual([
      explanationText(matched),
      explanationText(refused),
    ]);
    expect(await isDrained(world)).toBe(true);
  });

  it('with two workers at the same time cost one question', async () => {
    const world = await createWorld();
    const working: Promise<void>[] = [];
    for (const properties of spellings(world)) {
      await world.portal.create('contacts', properties);
      await world.portal.sandbox.deliverWebhooks();
      working.push(world.processes.work());
      await world.clock.sleep(SERVICE_LATENCY_MS / 3);
    }
    await Promise.all(working);
    await settleDown(world);
    expect((await world.states()).map(({ outcome }) => outcome?.kind)).toEqual(['enriched', 'enriched']);
    expect(world.wire.questions().length).toBe(1);
    expect(world.charged()).toBe(3);
    expect(await isDrained(world)).toBe(true);
  });
});

describe('people win', () => {
  it('keeps what a person types while the question is being asked', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const contact = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(person) });
    await world.portal.sandbox.deliverWebhooks();
    const working = world.processes.work();
    await world.clock.sleep(SERVICE_LATENCY_MS / 2);
    await world.portal.edit(contact, { jobtitle: 'Keeper of the Keys', city: 'Atlantis' });
    await working;
    expect(await world.portal.properties(contact)).toMatchObject({
      jobtitle: 'Keeper of the Keys',
      city: 'Atlantis',
      lastname: person.lastName,
    });
    expect(Object.keys(world.wire.writes()[0]?.properties ?? {})).not.toContain('jobtitle');
    expect((await world.state(contact))?.ownership).not.toHaveProperty('jobtitle.written');
  });

  it('asks anew about somebody else when the identity changes while the question is being asked', async () => {
    const world = await createWorld();
    const [first, second] = [somePerson(world, 0), somePerson(world, 1)];
    const contact = await world.portal.create('contacts', { email: first.job.email ?? '' });
    await world.portal.sandbox.deliverWebhooks();
    const working = world.processes.work();
    await world.clock.sleep(SERVICE_LATENCY_MS / 2);
    await settled(world, world.portal.edit(contact, { email: second.job.email ?? '' }));
    await working;
    await world.processes.reconcile();
    await settleDown(world);
    expect(world.wire.questions().length).toBe(2);
    expect(await world.portal.properties(contact)).toMatchObject({
      email: second.job.email,
      lastname: second.lastName,
      jobtitle: second.job.title,
      enrichment_credits: '2',
    });
    // The edit arrived while a worker held the record, so it has a run of its own, which finds nothing to do.
    await world.processes.reconcile();
    await settleDown(world);
    expect(await world.state(contact)).toMatchObject({ runsOpened: 2, creditsSpent: 2 });
    expect(await isDrained(world)).toBe(true);
  });
});
