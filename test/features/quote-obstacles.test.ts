import { describe, expect, it } from 'vitest';
import { cardOf } from '../harness/at-the-screen.ts';
import { oldContact } from '../harness/old-contact.ts';
import { contact } from '../harness/people.ts';
import type { WorldOptions } from '../harness/world.ts';

async function oldCard(options: WorldOptions = {}) {
  const { world, record } = await oldContact(options);
  return { world, card: cardOf(world, record) };
}

type Card = Awaited<ReturnType<typeof oldCard>>['card'];

async function quoteOf(card: Card, id = 'card-quote-1') {
  const { progress } = await card.ask({ id, kind: 'quote' });
  if (progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(progress));
  return progress.reply.quote;
}

describe('a quote for a record that cannot be bought now', () => {
  it('offers no purchase while an earlier request for it is in doubt', async () => {
    const { world, card } = await oldCard();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await card.ask({ id: 'card-first-1', kind: 'enrich', maxCredits: 3 });
    const quote = await quoteOf(card);
    expect(quote).toMatchObject({ questions: [], credits: 0, code: 'charge-unknown' });
    expect(world.charged()).toBe(3);
  });

  it('names the budget that is used up, and an agreed request then waits for it', async () => {
    const { world, card } = await oldCard({ policy: { budgets: { perDay: 2 } } });
    expect(await quoteOf(card)).toMatchObject({
      waitsFor: 'budget',
      waits: expect.stringMatching(/ 2 .* 3 /),
    });
    const { progress } = await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    expect(progress?.standing).toMatchObject({
      ...{ kind: 'waiting', reason: 'budget', endsWith: 'larger-budget' },
    });
    expect(progress?.standing).not.toHaveProperty('afterMs');
    expect(world.charged()).toBe(0);
  });

  it('names the time at which a budget opens, and so does the card while the request waits', async () => {
    const { world, card } = await oldCard({ policy: { budgets: { perDay: 4 }, timeZone: 'Europe/Berlin' } });
    const other = cardOf(world, await contact(world, 1));
    await other.ask({ id: 'card-other-1', kind: 'enrich', maxCredits: 3 });
    expect(await quoteOf(card)).toMatchObject({
      ...{ waitsFor: 'budget', waits: expect.stringContaining('22 Nov 2026, 00:00') },
    });
    const { progress } = await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    const afterMs = Date.UTC(2026, 10, 21, 23);
    expect(progress?.standing).toMatchObject({ kind: 'waiting', endsWith: 'own-turn', afterMs });
    expect(world.charged()).toBe(3);
  });

  it('names no budget for a stored answer, which costs nothing', async () => {
    const { world, card } = await oldCard({ policy: { budgets: { perDay: 3 } } });
    await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    expect(world.charged()).toBe(3);
    const { questions, credits, waitsFor } = await quoteOf(card);
    expect([questions.map((question) => question.credits), credits, waitsFor]).toEqual([[0], 0, undefined]);
  });

  it('names a stop that the data service caused, and takes no probe of it', async () => {
    const { world, card } = await oldCard();
    const { breakers } = world.services.questions;
    await world.changeService({ faults: [{ kind: 'status', status: 402, times: 1 }] });
    await card.ask({ id: 'card-first-1', kind: 'enrich', maxCredits: 3 });
    const before = await breakers.read();
    expect((await quoteOf(card)).waitsFor).toBe('out-of-credits');
    expect(await breakers.read()).toEqual(before);
  });

  it('says nothing of the kind when it can be bought', async () => {
    const { world, card } = await oldCard();
    const quote = await quoteOf(card);
    expect([quote.credits, quote.waits, quote.waitsFor]).toEqual([3, undefined, undefined]);
    const { progress } = await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    expect(progress?.standing).toMatchObject({ kind: 'ended' });
    expect(world.charged()).toBe(3);
  });
});
