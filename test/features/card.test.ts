import { describe, expect, it } from 'vitest';
import { requestKind } from '#shared/enrichment';
import type { Send } from '#shared/http';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { cardOf, verb } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { oldContact } from '../harness/old-contact.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { accept, undecided } from '../harness/review.ts';
import { liveOn, settleDown, verify } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const ID = 'card-request-1';

async function enriched(): Promise<{ world: World; record: RecordName }> {
  const world = await createWorld();
  const record = await contact(world);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return { world, record };
}

describe("a record's card", () => {
  it('says of a record that nobody has looked at that nothing is known', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    const { view } = await cardOf(world, record).show();
    expect(view).toMatchObject({ standing: { kind: 'unknown' }, values: [], runs: [], creditsSpent: 0 });
  });

  it('tells of each value of ours where it came from, when, at which price, and that it is ours', async () => {
    const { world, record } = await enriched();
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ kind: 'ended', outcome: { kind: 'enriched' } });
    const title = view.values.find(({ property }) => property === 'jobtitle');
    expect(title).toMatchObject({ label: 'Job Title', now: 'ours', run: { recordId: record.id, number: 1 } });
    expect(view.runs).toEqual([
      expect.objectContaining({ number: 1, operation: 'personProfile', credits: view.creditsSpent }),
    ]);
    expect(view.creditsSpent).toBe(world.charged());
    const state = await world.state(record);
    expect(view).toMatchObject({ checkedAtMs: state?.answeredAtMs, nextCheckAtMs: state?.staleAtMs });
    expect((view.nextCheckAtMs ?? 0) - (view.checkedAtMs ?? 0)).toBe(180 * DAY_MS);
    expect(view.values.every(({ property }) => !property.startsWith('enrichment_'))).toBe(true);
  });

  it('sees which values are not ours any more', async () => {
    const { world, record } = await enriched();
    await world.portal.edit(record, { jobtitle: 'Chief of Everything', city: '' });
    await world.clock.sleep(365 * DAY_MS);
    const { view } = await cardOf(world, record).show();
    const now = new Map(view.values.map((value) => [value.property, value.now]));
    expect(now.get('jobtitle')).toBe('changed');
    expect(now.get('city')).toBe('empty');
    expect([...now.values()]).toContain('ours');
  });

  it('tells no value, of nobody', async () => {
    const { world, record } = await enriched();
    const { jobtitle = '', city = '' } = await world.portal.properties(record);
    const text = JSON.stringify(await cardOf(world, record).show());
    expect(text).not.toContain(jobtitle);
    expect(text).not.toContain(city);
  });
});

describe('enriching from the card', () => {
  it('quotes a price for nothing, and then costs no more than that', async () => {
    const { world, record } = await oldContact();
    const card = cardOf(world, record);
    const quoted = await card.ask({ id: `${ID}-quote`, kind: 'quote' });
    expect(world.charged()).toBe(0);
    if (quoted.progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(quoted));
    const { quote } = quoted.progress.reply;
    expect(quote.questions).toEqual([{ operation: 'personProfile', credits: quote.credits }]);
    const shown = await card.ask({ id: ID, kind: 'enrich', maxCredits: quote.credits });
    expect(shown.progress?.standing).toMatchObject({ kind: 'ended', outcome: { kind: 'enriched' } });
    expect(shown.view.values.length).toBeGreaterThan(3);
    expect(world.charged()).toBe(quote.credits);
    await verify(world);
  });

  it('buys nothing where it would cost more than was agreed to', async () => {
    const { world, record } = await oldContact();
    const shown = await cardOf(world, record).ask({ id: ID, kind: 'enrich', maxCredits: 2 });
    expect(shown.progress?.standing).toMatchObject({ outcome: { kind: 'skipped', credits: 0 } });
    expect(world.charged()).toBe(0);
  });

  it('costs no more than was agreed to where a workflow waits, which then has a run of its own', async () => {
    const { world, record } = await oldContact();
    await verb(world, 'enrol', { objectType: 'contacts', ids: [record.id] });
    await world.processes.work();
    await cardOf(world, record).post({ id: ID, kind: 'enrich', maxCredits: 2 });
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    const ends = world.processes.reports.map(({ runOutcome }) => runOutcome);
    expect(ends.slice(-2)).toMatchObject([
      { outcome: 'skipped', credits: 0, reason: { code: 'price-risen', params: { price: 3 } } },
      { outcome: 'enriched', credits: 3 },
    ]);
    const { executions } = await verb<{ executions: object[] }>(world, 'executions');
    expect(executions).toMatchObject([{ outputs: { outcome: 'enriched', credits: '3' } }]);
  });

  it('happens once, however often it is asked for with one id', async () => {
    const { world, record } = await oldContact();
    const card = cardOf(world, record);
    const request = { id: ID, kind: 'enrich', maxCredits: 5 } as const;
    await Promise.all([card.post(request), card.post(request)]);
    await settleDown(world);
    const charged = world.charged();
    await card.ask(request);
    expect((await world.state(record))?.runsOpened).toBe(2);
    expect(world.charged()).toBe(charged);
  });

  it('goes before everything else', async () => {
    const { world, record } = await oldContact();
    await cardOf(world, record).post({ id: ID, kind: 'enrich', maxCredits: 5 });
    expect([world.queues.urgent.size(), world.queues.live.size(), world.queues.bulk.size()]).toEqual([
      1, 0, 0,
    ]);
  });

  it('is not waited for at a record that was merged away', async () => {
    const { world, record } = await oldContact();
    await world.portal.merge(await contact(world, 1), record);
    await settleDown(world);
    const { progress } = await cardOf(world, record).ask({ id: ID, kind: 'enrich', maxCredits: 5 });
    expect([progress, world.charged()]).toMatchObject([{ standing: { kind: 'merged' } }, 0]);
  });

  it('is under way until a worker has it', async () => {
    const { world, record } = await oldContact();
    await cardOf(world, record).post({ id: ID, kind: 'enrich', maxCredits: 5 });
    const { progress } = await cardOf(world, record).show(ID);
    expect(progress).toMatchObject({ standing: { kind: 'under-way' } });
  });
});

describe('a record in review', () => {
  it('is offered no stored answer that a person has to decide about first', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    await settleDown(world);
    expect(await undecided(world, 'contradiction')).toHaveLength(1);
    const { progress } = await cardOf(world, record).ask({ id: ID, kind: 'quote' });
    expect(progress?.reply).toMatchObject({
      kind: 'quoted',
      quote: { questions: [], credits: 0, code: 'undecided-finding' },
    });
  });
});

describe('undoing from the card', () => {
  it('takes one value back, or all of a run', async () => {
    const { world, record } = await enriched();
    const card = cardOf(world, record);
    const one = await card.ask({ id: `${ID}-one`, kind: 'undo', property: 'jobtitle' });
    expect(one.progress?.reply).toEqual({ kind: 'undone', restored: ['jobtitle'], kept: [] });
    expect(one.view.values.map(({ property }) => property)).not.toContain('jobtitle');
    const run = { recordId: record.id, number: 1 };
    const all = await card.ask({ id: `${ID}-all`, kind: 'undo', run });
    expect(all.progress?.reply).toMatchObject({ kind: 'undone' });
    expect(all.view.values).toEqual([]);
    const { hs_linkedin_url } = await world.portal.properties(record);
    expect(hs_linkedin_url).toBe(profileUrlOf(somePerson(world)));
  });

  it.each(['undo', 'wrong-match'] as const)(
    'tells what it has brought back, whichever request to HubSpot was its last: %s',
    async (kind) => {
      for (let at = 1, isOver = false; !isOver; at += STRIDE) {
        const { world, record } = await enriched();
        const others = world.processes.fuses.length;
        world.processes.planForNext({ at, among: 'hubspot', effect: 'done', kind: 'death' });
        const run = { recordId: record.id, number: 1 };
        await cardOf(world, record).post({ id: ID, kind, run });
        await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: 2 * MINUTE_MS });
        const { reply } = (await cardOf(world, record).show(ID)).progress ?? {};
        const told = { kind: 'undone', restored: expect.arrayContaining(['jobtitle']) };
        expect([at, reply]).toMatchObject([at, told]);
        expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
        isOver = world.processes.fuses[others]?.isBlown() !== true;
      }
    },
  );

  it('is done once, however often its message comes', async () => {
    const { world, record } = await enriched();
    const card = cardOf(world, record);
    const request = { id: ID, kind: 'undo', property: 'jobtitle' } as const;
    await card.post(request);
    world.queues.urgent.duplicateAll();
    await card.ask(request);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    const again = await card.ask(request);
    expect(again.progress?.reply).toEqual({ kind: 'undone', restored: ['jobtitle'], kept: [] });
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Chief of Everything' });
  });

  it('is not answered for another record by the same id', async () => {
    const { world, record } = await enriched();
    const other = await contact(world, 1);
    await settleDown(world);
    const request = { id: ID, kind: 'undo', property: 'jobtitle' } as const;
    await cardOf(world, record).ask(request);
    expect(await cardOf(world, other).post(request)).toMatchObject({ status: 409 });
    expect((await cardOf(world, other).show(ID)).progress).not.toHaveProperty('reply');
  });
});

describe('a wrong match', () => {
  it('is undone, not written again, and the next question is offered with its price', async () => {
    const through =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        return { ...response, headers: { ...response.headers, 'x-request-id': 'vendor-7' } };
      };
    const world = await createWorld({ through });
    const person = somePerson(world);
    const record = await contact(world, 0, { email: person.job.email ?? '' });
    await settleDown(world);
    const card = cardOf(world, record);
    const run = { recordId: record.id, number: 1 };
    const marked = await card.ask({ id: `${ID}-wrong`, kind: 'wrong-match', run });
    const reply = marked.progress?.reply;
    if (reply?.kind !== 'undone') throw new Error(JSON.stringify(marked));
    expect(reply.restored).toContain('jobtitle');
    expect(reply.next).toMatchObject({ questions: [{ operation: 'reverseEmail' }] });
    expect(marked.view.values).toEqual([]);
    const spent = world.charged();
    const claims = await world.services.requests.list({
      partition: requestKind.partition('wrong-matches'),
    });
    expect(claims).toMatchObject([
      {
        wrongMatch: {
          id: record.id,
          operation: 'personProfile',
          credits: spent,
          requestId: 'vendor-7',
        },
      },
    ]);
    await card.ask({ id: `${ID}-again`, kind: 'wrong-match', run });
    expect(
      await world.services.requests.list({ partition: requestKind.partition('wrong-matches') }),
    ).toHaveLength(1);
  });
});

describe('a wrong match of which something is up for review', () => {
  it('is not accepted any more', async () => {
    const fields = { contacts: { jobtitle: { shadow: true } } };
    const world = await createWorld({ policy: { fields } });
    const record = await contact(world);
    await settleDown(world);
    const [proposal] = await undecided(world);
    expect(proposal?.kind).toBe('proposal');
    const run = { recordId: record.id, number: 1 };
    await cardOf(world, record).ask({ id: ID, kind: 'wrong-match', run });
    expect(await undecided(world)).toEqual([]);
    expect(await accept(world, [record])).toMatchObject([{ result: 'refused' }]);
    expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
  });
});

describe('what HubSpot shows', () => {
  it('is fetched only from the addresses that the app may use', async () => {
    const world = await createWorld();
    await expect(
      verb(world, 'fetch', { url: 'https://elsewhere.example/hubspot/records' }),
    ).rejects.toThrow();
  });
});
