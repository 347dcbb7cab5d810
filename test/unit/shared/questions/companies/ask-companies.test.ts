import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#inside/kernel/clock.ts';
import type { Commitment } from '#inside/questions/ask-result.ts';
import type { CompaniesRequest } from '#inside/questions/companies/companies-result.ts';
import type { CallResult } from '#inside/questions/paid-calls.ts';
import { companyKey, domainsOf, type Question } from '#inside/questions/question.ts';
import { questionKind } from '#inside/questions/stored-kinds.ts';
import { declined, digest, found, LOST, NOON, openGateway, type Wish } from '../asking.ts';

function results(...domains: readonly string[]): CallResult {
  const data = domains.map((domain) => ({ primary_domain: domain, name: domain }));
  return found({ data }, data.length);
}

function profileOf(domain: string): Question {
  return { operation: 'companyProfile', parameters: { domain }, options: [] };
}

function open(answers: readonly CallResult[], wish: Wish = {}) {
  const opened = openGateway({ answers, ...wish });
  const search = async (domains: readonly string[], more: Partial<CompaniesRequest> = {}) => {
    const notAfterMs = opened.clock.now() + 4 * MINUTE_MS;
    const told = await opened.gateway.askCompanies({ domains, purpose: 'refresh', notAfterMs, ...more });
    return Object.fromEntries([...told].map(([domain, result]) => [domain, result.kind]));
  };
  return { ...opened, search, asked: () => opened.calls.map(({ parameters }) => domainsOf(parameters)) };
}

describe('companies that are asked about together', () => {
  it('are charged by the result, a miss for nothing, and known afterwards', async () => {
    const { search, kinds, log, calls } = open([results('a.com', 'b.com')]);
    expect(await search(['a.com', 'b.com', 'c.com'])).toEqual({
      'a.com': 'found',
      'b.com': 'found',
      'c.com': 'no-match',
    });
    expect(await kinds()).toEqual(['pending 3', 'posted 2']);
    expect((await log()).map(({ companies }) => companies)).toEqual([3, 3]);
    expect(await search(['b.com', 'c.com'])).toEqual({ 'b.com': 'found', 'c.com': 'no-match' });
    expect(calls.length).toBe(1);
  });

  it('count in full for a run that has committed to one and finds no answer of it', async () => {
    const committed = new Map<string, Commitment>();
    const commit = async (domain: string, attempt: Commitment) => {
      committed.set(domain, attempt);
      return true;
    };
    // A full page without c.com, which is then left to its profile.
    const { search, gateway } = open([results('a.com', 'b.com', 'x.com'), LOST]);
    await search(['a.com', 'b.com', 'c.com'], { commit });
    const charges = [...committed].map(async ([domain, attempt]) => [
      domain,
      await gateway.chargeOf(attempt),
    ]);
    expect(Object.fromEntries(await Promise.all(charges))).toEqual({ 'a.com': 1, 'b.com': 1, 'c.com': 1 });
  });

  it('keep the charge of their batch, although a later batch misses them for nothing', async () => {
    const committed: Commitment[] = [];
    const commit = async (_: string, attempt: Commitment) => committed.push(attempt) > 0;
    const { search, gateway, clock } = open([results('a.com', 'b.com'), results('c.com')]);
    await search(['a.com', 'b.com'], { commit });
    await clock.sleep(91 * DAY_MS);
    expect(await search(['a.com', 'c.com'])).toEqual({ 'a.com': 'no-match', 'c.com': 'found' });
    expect(await Promise.all(committed.map((attempt) => gateway.chargeOf(attempt)))).toEqual([1, 1]);
  });

  it('that were missed are no miss of a profile', async () => {
    const { search, ask } = open([results('a.com'), found({ name: 'B' })]);
    await search(['a.com', 'b.com']);
    expect(await ask(profileOf('b.com'))).toMatchObject({ kind: 'found', credits: 1 });
  });

  it('are left to their profiles where one alone is left, and where one is known', async () => {
    const { search, ask, calls } = open([found({ name: 'A' })]);
    await ask(profileOf('a.com'));
    expect(await search(['a.com', 'b.com'])).toEqual({});
    expect(calls.length).toBe(1);
  });

  it('are only looked up where nothing is to be asked', async () => {
    const { search, calls } = open([results('a.com', 'b.com')]);
    expect(await search(['a.com', 'b.com'], { knownOnly: true })).toEqual({});
    await search(['a.com', 'b.com']);
    expect(await search(['a.com', 'b.com'], { knownOnly: true })).toEqual({
      'a.com': 'found',
      'b.com': 'found',
    });
    expect(calls.length).toBe(1);
  });

  it('are asked about in smaller batches where a full page does not name them, the last by its profile', async () => {
    const crowd = ['x.com', 'y.com', 'z.com'];
    const { search, asked } = open([results('a.com', ...crowd), results('b.com'), results('d.com')]);
    expect(await search(['a.com', 'b.com', 'c.com', 'd.com'])).toEqual({
      'a.com': 'found',
      'b.com': 'found',
      'c.com': 'no-match',
    });
    expect(asked()).toEqual([
      ['a.com', 'b.com', 'c.com', 'd.com'],
      ['b.com', 'c.com'],
    ]);
  });

  it('are asked about in halves where the vendor takes no more', async () => {
    const { search, asked, kinds } = open([declined('bad-request'), results('a.com', 'b.com')]);
    expect(await search(['a.com', 'b.com', 'c.com', 'd.com'])).toMatchObject({ 'a.com': 'found' });
    expect(asked().map(({ length }) => length)).toEqual([4, 2, 2]);
    expect((await kinds()).slice(0, 2)).toEqual(['pending 4', 'voided 4']);
  });

  it('wait a day where nobody knows whether they were charged for, but not for their profiles', async () => {
    const { search, ask } = open([LOST, found({ name: 'A' })]);
    expect(await search(['a.com', 'b.com'])).toEqual({ 'a.com': 'waiting', 'b.com': 'waiting' });
    expect(await search(['a.com', 'b.com'])).toEqual({ 'a.com': 'waiting', 'b.com': 'waiting' });
    expect(await ask(profileOf('a.com'))).toMatchObject({ kind: 'found' });
  });

  it('are no more than the budget pays for', async () => {
    const { search, asked } = open([results('a.com', 'b.com'), results('c.com')], {
      budgets: { perDay: 100, purposes: { refresh: { perDay: 2 } } },
    });
    expect(await search(['a.com', 'b.com', 'c.com', 'd.com'])).toMatchObject({
      'a.com': 'found',
      'c.com': 'waiting',
    });
    expect(asked()).toEqual([['a.com', 'b.com']]);
  });
});

describe('a person’s profile of a company that a batch is about to ask about', () => {
  it('waits those seconds and no longer, and the batch is never sent', async () => {
    const reservationId = 'batch:1:n';
    const note = { batch: 'batch', reservationId, untilMs: NOON + 5 * SECOND_MS };
    const opened = open([found({ name: 'A' })]);
    await opened.put(profileOf('a.com'), { fencingToken: 0, note });
    expect(await opened.ask(profileOf('a.com'))).toMatchObject({ kind: 'found' });
    expect(opened.clock.now() - NOON).toBeLessThanOrEqual(9 * SECOND_MS);
    expect((await opened.stores.items.read(questionKind.key('batch')))?.value.fencingToken).toBeGreaterThan(
      1,
    );
    expect(
      (await opened.stores.items.read(questionKind.key(companyKey('a.com', digest))))?.value.note,
    ).toEqual(note);
  });
});
