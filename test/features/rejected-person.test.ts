import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { cardOf } from '../harness/at-the-screen.ts';
import { contact, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { undecided } from '../harness/review.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

/** A contact of which a person has said that the answer to its profile is about another person. */
async function wrongContact() {
  const world = await createWorld();
  const record = await contact(world, 0, { email: somePerson(world).job.email ?? '' });
  await settleDown(world);
  const card = cardOf(world, record);
  const run = { recordId: record.id, number: 1 };
  const { progress } = await card.ask({ id: 'wrong-match-1', kind: 'wrong-match', run });
  if (progress?.reply?.kind !== 'undone') throw new Error(JSON.stringify(progress));
  return { world, record, card, next: progress.reply.next };
}

describe('a person whom a person has rejected for a record', () => {
  it('is named in the price of the next question', async () => {
    const { card, next } = await wrongContact();
    expect(next).toMatchObject({ questions: [{ operation: 'reverseEmail' }], warns: 'may-find-rejected' });
    const quoted = await card.ask({ id: 'wrong-quote-1', kind: 'quote' });
    expect(quoted.progress?.reply).toMatchObject({ quote: { warns: 'may-find-rejected' } });
  });

  it('is not written by another answer, which a person decides about', async () => {
    const { world, record, card } = await wrongContact();
    const before = await world.portal.properties(record);
    await card.ask({ id: 'wrong-enrich-1', kind: 'enrich', maxCredits: 5 });
    const after = await world.portal.properties(record);
    expect(after['jobtitle'] ?? '').toBe(before['jobtitle'] ?? '');
    expect(after).toMatchObject({ enrichment_status: 'review' });
    expect((await world.state(record))?.outcome).toMatchObject({
      kind: 'unmatched',
      status: 'review',
      reason: { code: 'rejected-before' },
    });
    expect(await undecided(world)).toMatchObject([
      { kind: 'contradiction', record: `contacts/${record.id}` },
    ]);
  });

  it('is written once a person accepts such an answer', async () => {
    const { world, record, card } = await wrongContact();
    await card.ask({ id: 'wrong-enrich-1', kind: 'enrich', maxCredits: 5 });
    const { findings } = (await card.show()).view;
    const named = { finding: 'contradiction', foundAtMs: findings[0]?.foundAtMs ?? 0 } as const;
    const accepted = await card.ask({ id: 'wrong-accept-1', kind: 'accept', ...named });
    expect(accepted.progress?.reply).toMatchObject({ code: 'values-written' });
    expect((await world.portal.properties(record))['enrichment_source']).toBe('reverseEmail');
    expect((await card.ask({ id: 'wrong-quote-2', kind: 'quote' })).progress?.reply).not.toHaveProperty(
      'quote.warns',
    );
  });

  it('is not written either where a person rejected a contradiction', async () => {
    const world = await createWorld();
    const url = profileUrlOf(somePerson(world));
    const record = await world.portal.create('contacts', { hs_linkedin_url: url, lastname: 'Quorrwick' });
    await settleDown(world);
    const card = cardOf(world, record);
    const [finding] = (await card.show()).view.findings;
    const named = { finding: 'contradiction', foundAtMs: finding?.foundAtMs ?? 0 } as const;
    await card.ask({ id: 'wrong-reject-1', kind: 'reject', ...named });
    await world.portal.edit(record, {
      lastname: '',
      hs_linkedin_url: '',
      email: somePerson(world).job.email ?? '',
    });
    await settleDown(world);
    await world.clock.sleep(400 * DAY_MS);
    await card.ask({ id: 'wrong-enrich-3', kind: 'enrich', maxCredits: 5 });
    expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
  });

  it('keeps no value of the person in the record', async () => {
    const { world, record } = await wrongContact();
    const { firstName, lastName, networkSlug } = somePerson(world);
    const text = JSON.stringify(await world.state(record));
    for (const value of [firstName, lastName, networkSlug]) expect(text).not.toContain(value);
  });
});

it('a company that a person has rejected is not written by another answer', async () => {
  const world = await createWorld();
  const { domains, networkSlug } = someCompany(world);
  const linkedin_company_page = `https://www.linkedin.com/company/${networkSlug}`;
  const record = await world.portal.create('companies', { linkedin_company_page });
  await settleDown(world);
  const card = cardOf(world, record);
  const run = { recordId: record.id, number: 1 };
  await card.ask({ id: 'wrong-match-2', kind: 'wrong-match', run });
  await world.portal.edit(record, { domain: domains[0] ?? '' });
  await settleDown(world);
  await world.clock.sleep(400 * DAY_MS);
  await card.ask({ id: 'wrong-enrich-2', kind: 'enrich', maxCredits: 5 });
  expect((await world.portal.properties(record))['description'] ?? '').toBe('');
  expect((await world.state(record))?.outcome?.status).toBe('review');
});
