import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATA_SERVICE_ASSUMPTIONS } from '../../../../infra/local/rehearsal/data-service-assumptions.ts';
import { probeObservations } from '../../../../infra/local/rehearsal/probe-observations.ts';
import { type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
let domain = '';
beforeAll(async () => {
  standIns = await startStandIns({ noMatchCost: 'none' });
  const [company] = await standIns.records('company');
  domain = String(company?.['primary_domain']);
});
afterAll(() => standIns.stop());

const run = (...words: string[]) => standIns.run(['probe', ...words]);

describe('probe', () => {
  it.each([
    ['second-page', { secondPage: 'repeated' }],
    ['domain-match', { domainMatch: 'wider' }],
    ['service-rate-headers', { rateHeaders: { 'x-ratelimit-limit': '20' } }],
    ['miss-price', { miss: { words: 'Not Found', chargedCredits: 0 } }],
    ['empty-search-price', { emptySearch: { results: 0, chargedCredits: 1 } }],
    ['miss-words', { miss: { chargedCredits: 1 } }],
  ] as const)('reports exactly %s where that differs', (id, other) => {
    const headers = ['limit', 'remaining', 'reset'].map((name) => [`x-ratelimit-${name}`, '1']);
    const asAssumed = {
      probedAtMs: 0,
      miss: { words: 'Not Found', chargedCredits: 1 },
      emptySearch: { results: 0, chargedCredits: 0 },
      domainMatch: 'exact',
      secondPage: 'other',
      rateHeaders: Object.fromEntries(headers),
    } as const;
    const policy = { noMatchCost: 'full', emptySearchCost: 'none' } as const;
    const differing = (findings: ReturnType<typeof probeObservations>) =>
      Object.entries(findings).flatMap(([name, { verdict }]) => (verdict === 'holds' ? [] : [name]));
    expect(differing(probeObservations(asAssumed, policy))).toEqual([]);
    expect(differing(probeObservations({ ...asAssumed, ...other }, policy))).toEqual([id]);
  });

  it('wants a limit, and asks nothing without consent', async () => {
    expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining('--max-credits') });
    expect(await run('--miss-charged', '0')).toMatchObject({
      code: 4,
      err: expect.stringContaining('To make one: probe --max-credits 5\n'),
    });
    const refused = await standIns.run(['probe', '--max-credits', '5', '--domain', domain], { answer: 'n' });
    expect(refused.asked).toEqual([
      expect.stringMatching(/^Probe, 4 questions: at most 4 credits, 200 left/),
    ]);
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
        miss: { words: expect.stringMatching(/^Not Found: No profile found/) },
        emptySearch: { results: 0 },
        domainMatch: 'exact',
        secondPage: 'empty',
        rateHeaders: { 'x-ratelimit-limit': expect.any(String) },
      },
      advice: [expect.stringContaining('probe --miss-charged')],
      about: 'data-service',
      against: 'the stand-in',
      counts: { holds: 3, differs: 0, notSeen: 3 },
    });
    const rows = DATA_SERVICE_ASSUMPTIONS.filter(({ step }) => typeof step === 'string');
    const { results } = json() as { results: { assumption: string }[] };
    expect(results.map(({ assumption }) => assumption)).toEqual(rows.map(({ id }) => id));
    expect(out).not.toContain('nobody.');
    expect(await standIns.bill()).toBeLessThanOrEqual(4);
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
    const { findings, advice } = (await byDomain(company ?? {})) as {
      findings: { domainMatch: string };
      advice: string[];
    };
    expect(findings.domainMatch).toBe('other-domain');
    expect(advice.join(' ')).toContain("with the company's main domain");
    expect(advice.join(' ')).not.toContain('look at the domain of each record');
    const again = await run('--max-credits', '5', '--domain', domain, '--yes', '--json');
    expect(again.json()).toMatchObject({ findings: { domainMatch: 'exact' } });
  });

  it('notes what the usage list shows, suggests the setting, and doctor tells', async () => {
    const noted = await run('--miss-charged', '0', '--empty-search-charged', '1');
    expect(noted.out).toContain('a miss is free, and says "Not Found');
    expect(noted.out).toContain("set noMatchCost: 'none'");
    expect(noted.out).toContain('a search without results costs 1 credit');
    expect(noted.out).toMatch(/^differs {3}miss-price: it costs 0 credits, the policy books 1 credit$/m);
    expect(noted.out).toContain('-> change noMatchCost of the policy');
    const { checks } = (await standIns.run(['doctor', '--json'])).json() as { checks?: { name: string }[] };
    expect(checks?.find(({ name }) => name === 'probe of the data service')).toMatchObject({
      verdict: 'warn',
      seen: expect.stringContaining('a miss is free'),
      advice: expect.stringContaining("noMatchCost: 'none'"),
    });
  });
});
