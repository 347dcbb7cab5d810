import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import {
  type BoughtFunding,
  keepRoundsLesson,
  readRoundsFacts,
} from '#shared/questions/companies/rounds-facts.ts';
import type { CallResult } from '#shared/questions/paid-calls.ts';
import { domainsOf } from '#shared/questions/question.ts';
import { declined, found, LOST, NOON, openGateway } from '../asking.ts';

function results(...domains: readonly string[]): CallResult {
  const data = domains.map((domain) => ({ primary_domain: domain, name: domain }));
  return found({ data }, data.length);
}

/** A gateway that knows of a company with a young round, and of one that never had any. */
async function open(...answers: readonly CallResult[]) {
  const opened = openGateway({ answers });
  const services = { sideItems: opened.stores.sideItems, clock: opened.clock };
  const know = (...bought: readonly BoughtFunding[]) =>
    keepRoundsLesson(services, { kind: 'bought', bought });
  await know(
    { domain: 'young.com', boughtAtMs: NOON, roundAtMs: NOON - 40 * DAY_MS },
    { domain: 'none.com', boughtAtMs: NOON, roundAtMs: undefined },
  );
  const look = async (...domains: readonly string[]) => {
    const notAfterMs = opened.clock.now() + 4 * MINUTE_MS;
    const request = { domains, purpose: 'refresh' as const, notAfterMs, sinceMs: NOON - 90 * DAY_MS };
    const seen = await opened.gateway.askRounds(request);
    return Object.fromEntries([...seen].map(([domain, { kind }]) => [domain, kind]));
  };
  const asked = () =>
    opened.calls.map(({ parameters }) => [domainsOf(parameters).join(' '), parameters['months']]);
  return { ...opened, look, know, asked, facts: () => readRoundsFacts(services) };
}

describe('companies that are looked at for a new round', () => {
  it('are named where they had one, for a credit each, beside whom the search has to name', async () => {
    const { look, asked, kinds } = await open(results('b.com', 'young.com'));
    expect(await look('a.com', 'b.com', 'c.com')).toEqual({
      'a.com': 'had-none',
      'b.com': 'had-round',
      'c.com': 'had-none',
    });
    expect(asked()).toEqual([['a.com b.com c.com young.com none.com', '4']]);
    expect(await kinds()).toEqual(['pending 5', 'posted 2']);
  });

  it.each([
    ['whom it should is not named', ['b.com']],
    ['whom it should not is named', ['b.com', 'young.com', 'none.com']],
    ['nobody knows whom it named', ['young.com', 'stranger.com']],
  ])('are not proved to have had none where %s', async (_, named) => {
    const { look } = await open(results(...named));
    const seen = await look('a.com', 'b.com');
    expect(seen['a.com']).toBeUndefined();
    expect(seen['b.com']).not.toBe('had-round');
  });

  it('are looked at once more where one control had a round itself', async () => {
    const { look, asked, know } = await open(
      results('b.com', 'young.com', 'never.com'),
      results('young.com'),
    );
    await know({ domain: 'never.com', boughtAtMs: NOON, roundAtMs: undefined });
    expect(await look('a.com', 'b.com', 'c.com')).toEqual({
      'a.com': 'had-none',
      'b.com': 'unproved',
      'c.com': 'had-none',
    });
    expect(asked().map(([domains]) => domains)).toEqual([
      'a.com b.com c.com young.com never.com',
      'a.com c.com young.com none.com',
    ]);
  });

  it('are told from nobody, and nobody is asked about, where the proof is missing or only one is left', async () => {
    const { look, calls, gateway, clock } = await open();
    expect(await look('a.com')).toEqual({});
    expect(await look('young.com', 'none.com')).toEqual({});
    const early = { sinceMs: NOON - 5 * 365 * DAY_MS, notAfterMs: clock.now() + 4 * MINUTE_MS };
    await gateway.askRounds({ ...early, purpose: 'refresh', domains: ['a.com'] });
    expect(calls).toEqual([]);
  });

  it('are asked in full where the vendor refuses such a search', async () => {
    const { look, facts } = await open(declined('bad-request'));
    expect(await look('a.com', 'b.com')).toEqual({});
    expect((await facts()).stopped).toMatchObject({ why: 'refused' });
    expect(await look('a.com', 'b.com')).toEqual({});
  });

  it('wait where nobody knows whether the search was charged for', async () => {
    const { look } = await open(LOST);
    expect(await look('a.com', 'b.com')).toEqual({ 'a.com': 'waiting', 'b.com': 'waiting' });
  });
});
