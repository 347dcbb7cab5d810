import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { VendorFindings } from '#shared/questions';
import {
  DATA_SERVICE_ASSUMPTIONS,
  probeObservations,
} from '../../../../infra/local/rehearsal/data-service.ts';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns({ noMatchCost: 'none' });
const [company] = await standIns.records('company');
const domain = String(company?.['primary_domain']);
afterAll(() => standIns.stop());

const run = (...words: string[]) => standIns.run(['probe', ...words]);
const refusalOf = async (...words: string[]) => {
  const { code, json } = await run(...words, '--json');
  return { code, ...json() };
};

const MISS = 'Not Found: No profile found for the provided email address';
const POLICY = { noMatchCost: 'full', emptySearchCost: 'none' } as const;

describe('probe', () => {
  it.each([
    ['second-page', { secondPage: 'repeated' }],
    ['domain-match', { domainMatch: 'wider' }],
    ['domain-match', { emptySearch: { results: 1 } }],
    ['search-page-size', { exceedsPage: true }],
    ['service-rate-headers', { rateHeaders: { 'x-ratelimit-limit': '20' } }],
    ['miss-price', { miss: { words: MISS, chargedCredits: 0 } }],
    ['empty-search-price', { emptySearch: { results: 0, chargedCredits: 1 } }],
    ['miss-words', { miss: { words: '', chargedCredits: 1 } }],
    ['miss-words', { miss: { words: 'Not Found: Nobody is here', chargedCredits: 1 } }],
  ] as const)('reports exactly %s where that differs', (id, other) => {
    const headers = ['limit', 'remaining', 'reset'].map((name) => [`x-ratelimit-${name}`, '1']);
    const asAssumed: VendorFindings = {
      probedAtMs: 0,
      miss: { words: MISS, chargedCredits: 1 },
      emptySearch: { results: 0, chargedCredits: 0 },
      domainMatch: 'exact',
      secondPage: 'empty',
      rateHeaders: Object.fromEntries(headers),
    };
    const differing = (findings: VendorFindings) =>
      Object.entries(probeObservations(findings, POLICY, new Map())).flatMap(([name, { verdict }]) =>
        verdict === 'differs' ? [name] : [],
      );
    expect(differing(asAssumed)).toEqual([]);
    expect(differing({ ...asAssumed, ...other })).toEqual([id]);
  });

  it('claims nothing about what it has not seen', () => {
    const observations = probeObservations(
      { probedAtMs: 0, rateHeaders: {} },
      POLICY,
      new Map([['rate', 'no answer']]),
    );
    expect(Object.keys(observations)).toEqual(DATA_SERVICE_ASSUMPTIONS.map(({ id }) => id));
    const codes = DATA_SERVICE_ASSUMPTIONS.map(({ id, step }) => [
      id,
      typeof step === 'string' ? (step === 'rate' ? 'step-stopped' : 'not-asked') : 'not-rehearsed',
    ]);
    expect(Object.entries(observations).map(([id, seen]) => [id, 'code' in seen && seen.code])).toEqual(
      codes,
    );
    const stored = { probedAtMs: 0, rateHeaders: {}, miss: {}, emptySearch: { results: 1 } };
    const { 'miss-words': words, 'empty-search-price': price } = probeObservations(stored, POLICY, new Map());
    expect([words, price]).toMatchObject([{ code: 'text-not-stored' }, { code: 'unused-domain-found' }]);
  });

  it('wants a limit, and asks nothing without consent', async () => {
    const params = { option: '--max-credits' };
    expect(await refusalOf()).toMatchObject({ code: 2, error: { code: 'nothing-to-probe', params } });
    expect(await refusalOf('--miss-charged', '0')).toMatchObject({ code: 4, error: { code: 'not-probed' } });
    expect(await refusalOf('--max-credits', '4', '--domain', 'none')).toMatchObject({
      code: 2,
      error: { code: 'not-a-domain' },
    });
    const refused = await standIns.run(['probe', '--max-credits', '5', '--domain', domain], { answer: 'n' });
    expect(refused.asked).toEqual([expect.stringMatching(/ 4 .* 4 credits, 200 /)]);
    expect(refused.code).toBe(1);
    expect(await standIns.bill()).toBe(0);
  });

  it('asks no more than its limit pays for', async () => {
    const { code, json } = await run('--max-credits', '1', '--yes', '--json');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ findings: { miss: {} } });
    expect(json()['findings']).not.toHaveProperty('emptySearch');
    expect(await standIns.bill()).toBe(0);
  });

  it('learns what answers tell, and stays within the limit', async () => {
    const { code, json, out } = await run('--max-credits', '5', '--domain', domain, '--yes', '--json');
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      findings: {
        probedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        miss: {},
        emptySearch: { results: 0 },
        domainMatch: 'exact',
        secondPage: 'empty',
        rateHeaders: ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
      },
      advice: [expect.stringContaining('probe --miss-charged')],
      about: 'data-service',
      against: 'the stand-in',
      counts: { holds: 3, differs: 0, notSeen: 5 },
    });
    const { results } = json() as { results: { assumption: string }[] };
    expect(results.map(({ assumption }) => assumption)).toEqual(DATA_SERVICE_ASSUMPTIONS.map(({ id }) => id));
    for (const value of ['nobody.', 'No profile found', 'probedAtMs']) expect(out).not.toContain(value);
    expect(await standIns.bill()).toBeLessThanOrEqual(4);
  });

  it('sees a page that has too many results, says what it was charged, and asks nothing more', async () => {
    const service = await startStandIns({ companyMatching: 'fuzzy', pageOverrun: 20 });
    onTestFinished(service.stop);
    const words = ['probe', '--max-credits', '4', '--domain', domain, '--yes', '--json'];
    const { code, json } = await service.run(words);
    expect(code).toBe(1);
    expect(json()).toMatchObject({ error: { code: 'overcharged' }, credits: await service.bill() });
    const { results } = json() as { results: { assumption: string; verdict: string }[] };
    const verdictOf = (id: string) => results.find(({ assumption }) => assumption === id)?.verdict;
    expect([verdictOf('search-page-size'), verdictOf('second-page')]).toEqual(['differs', 'not seen']);
  });

  it('does not take a second domain of a company for a search that finds too much', async () => {
    const byDomain = async (company: Record<string, unknown>) => {
      const { domains } = company as { domains: string[] };
      const { json } = await run('--max-credits', '5', '--domain', domains[1] ?? '', '--yes', '--json');
      return json();
    };
    const company = (await standIns.records('company')).find(
      ({ domains }) => Array.isArray(domains) && domains.length > 1,
    );
    expect(await byDomain(company ?? {})).toMatchObject({ findings: { domainMatch: 'other-domain' } });
    const words = ['--max-credits', '5', '--domain', domain, '--wait', '0', '--yes', '--json'];
    const again = await run(...words);
    expect(again.json()).toMatchObject({ findings: { domainMatch: 'exact' } });
  });

  it('notes what the usage list shows, suggests the setting, and doctor tells', async () => {
    await run('--miss-charged', '1', '--empty-search-charged', '0');
    const codes = async () => {
      const { checks } = (await standIns.run(['doctor', '--json'])).json() as { checks: { code: string }[] };
      return checks.map(({ code }) => code);
    };
    expect(await codes()).toContain('probe-agrees');
    const noted = (await run('--miss-charged', '0', '--empty-search-charged', '1', '--json')).json();
    expect(noted).toMatchObject({
      findings: { miss: { chargedCredits: 0 }, emptySearch: { chargedCredits: 1 } },
      results: expect.arrayContaining([
        expect.objectContaining({ assumption: 'miss-price', verdict: 'differs' }),
      ]),
    });
    expect(String(noted['advice'])).toContain("noMatchCost: 'none'");
    const { checks } = (await standIns.run(['doctor', '--json'])).json() as { checks?: { code: string }[] };
    expect(checks?.find(({ code }) => code === 'probe-differs')).toMatchObject({
      verdict: 'warn',
      advice: expect.stringContaining("noMatchCost: 'none'"),
    });
  });
});
