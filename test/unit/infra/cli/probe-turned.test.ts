import { afterEach, describe, expect, it } from 'vitest';
import { type StandIns, startStandIns } from '../../../harness/console.ts';

let standIns: StandIns | undefined;
afterEach(async () => {
  await standIns?.stop();
  standIns = undefined;
});

type Row = { assumption: string; verdict: string; seen?: string };

/** Probes a data service, and records the prices that its bill shows. */
async function probe(settings: Readonly<Record<string, unknown>>) {
  const service = await startStandIns(settings);
  standIns = service;
  const companies = await service.records('company');
  const domain = String(companies[0]?.['primary_domain']);
  const run = (...words: string[]) => service.run(['probe', ...words, '--yes', '--json']);
  const bills = [0];
  for (const words of [[], [], ['--domain', domain]]) {
    await run('--max-credits', String(words.length + 1), ...words);
    bills.push(await service.bill());
  }
  const [, miss = 0, empty = 0] = bills;
  const prices = ['--miss-charged', String(miss), '--empty-search-charged', String(empty - miss)];
  const { code, json } = await run(...prices);
  const { results } = json() as { results: Row[] };
  const of = (verdict: string) =>
    results.filter((row) => row.verdict === verdict).map(({ assumption }) => assumption);
  return { code, bill: await service.bill(), results, differs: of('differs'), notSeen: of('not seen') };
}

const NEVER_SEEN = ['rate-window'];
const NEEDS_COMPANIES = ['second-page', 'search-page-size'];
const UNPUBLISHED = { kind: 'status', status: 404, operation: 'reverse-email-lookup', afterWork: true };

describe('probe of a data service', () => {
  it('that behaves like the stand-in finds no difference', async () => {
    const { code, differs, notSeen, bill } = await probe({});
    expect({ code, differs }).toEqual({ code: 0, differs: [] });
    expect(notSeen.toSorted()).toEqual([...NEVER_SEEN, ...NEEDS_COMPANIES].toSorted());
    expect(bill).toBeLessThanOrEqual(4);
  });

  it.each([
    ['miss-price', { noMatchCost: 'none' }],
    ['miss-words', { faults: [UNPUBLISHED] }],
    ['empty-search-price', { emptySearchCost: 'base' }],
    ['domain-match', { companyMatching: 'fuzzy' }],
    ['service-rate-headers', { rateHeaders: 'none' }],
  ])('names %s alone where it differs', async (id, settings) => {
    const { code, differs, bill } = await probe(settings);
    expect({ code, differs }).toEqual({ code: 1, differs: [id] });
    expect(bill).toBeLessThanOrEqual(4);
  });

  it('sees a page that has too many results, says what it was charged, and asks nothing more', async () => {
    const service = await startStandIns({ companyMatching: 'fuzzy', pageOverrun: 20 });
    standIns = service;
    const domain = String((await service.records('company'))[0]?.['primary_domain']);
    const { code, json } = await service.run([
      ...['probe', '--max-credits', '4', '--domain', domain, '--yes', '--json'],
    ]);
    expect({ code, credits: (json() as { credits: number }).credits }).toEqual({
      ...{ code: 1, credits: await service.bill() },
    });
    expect(json()).toMatchObject({ error: { code: 'overcharged' } });
    const { results } = json() as { results: Row[] };
    const verdictOf = (id: string) => results.find(({ assumption }) => assumption === id);
    expect(verdictOf('search-page-size')).toMatchObject({ verdict: 'differs' });
    expect(verdictOf('second-page')).toMatchObject({ verdict: 'not seen' });
  });
});
