import { expect, it } from 'vitest';
import type { QuestionPlan } from '#inside/enrichment/ask/plan-record.ts';
import { searchCompanies } from '#inside/enrichment/ask/search-companies.ts';
import type { EnrichmentServices } from '#inside/enrichment/services.ts';
import type { CompaniesRequest } from '#inside/questions/companies/companies-result.ts';
import type { Run } from '#inside/records/schemas.ts';

interface Wish extends Partial<Run> {
  readonly domain?: string;
  /** Of the policy. */
  readonly rule?: string;
}

/** The searches that are asked about companies with these runs. */
async function searchesFor(...runs: readonly Wish[]) {
  const asked: CompaniesRequest[] = [];
  const services = {
    writeBreakers: { open: async () => undefined },
    // A missing backfill counts as stopped.
    backfills: { read: async () => undefined },
    gateway: {
      askCompanies: async (request: CompaniesRequest) => {
        asked.push(request);
        return new Map();
      },
    },
  } as unknown as EnrichmentServices;
  const plans = runs.map(({ domain, rule, ...run }, index) => {
    const held = {
      id: `${index}`,
      run: { id: 'run', purpose: 'refresh', credits: 0, ...run },
      state: { backfill: { id: 'b' } },
      admission: { rule, countedAs: rule, maxCredits: Number.POSITIVE_INFINITY },
    };
    return {
      kind: 'planned',
      held,
      questions: [],
      searchDomain: domain ?? `${index}.example`,
    } as unknown as QuestionPlan;
  });
  await searchCompanies(services, plans, { notAfterMs: 0, isRefusing: false });
  return asked;
}

it('searches companies that a person admitted apart from those that leave the reserve to leads', async () => {
  const asked = await searchesFor({ overrulesReserve: true }, {}, { overrulesReserve: true }, {});
  expect(asked.map(({ domains, overrulesReserve }) => [domains, overrulesReserve])).toEqual([
    [['0.example', '2.example'], true],
    [['1.example', '3.example'], undefined],
  ]);
});

it('searches companies of one rule apart from those of another, so that the ledger names the rule', async () => {
  const asked = await searchesFor({ rule: 'a' }, { rule: 'b' }, { rule: 'a' }, {});
  expect(asked.map(({ domains, rule }) => [domains, rule])).toEqual([
    [['0.example', '2.example'], 'a'],
    [['1.example'], 'b'],
    [['3.example'], undefined],
  ]);
});

it.each([
  [true, 1, 0],
  [false, 0, 1],
])(
  'searches a company of two records: %s, where the price of the first is %i and of the second %i',
  async (is, ...prices) => {
    const domain = 'same.example';
    const [first] = await searchesFor(...prices.map((maxCredits) => ({ domain, maxCredits })));
    expect(await first?.isCovered?.(domain)).toBe(is);
  },
);

it('lets a search for a backfill ask, before it is sent, whether the backfill was stopped', async () => {
  const [backfill, refresh] = await searchesFor({ purpose: 'backfill' }, { purpose: 'refresh' });
  expect(await backfill?.isWanted?.()).toBe(false);
  expect(refresh?.isWanted).toBeUndefined();
});
