import { attempt, type Failed } from '../failures.ts';
import type { EnrichmentServices, HeldRecord, TimeLimit } from '../services.ts';
import { answerPlanned, askingLimits } from './answer-record.ts';
import type { Answered } from './answered.ts';
import { planRecord } from './plan-record.ts';
import { searchCompanies } from './search-companies.ts';

interface Asked {
  readonly held: HeldRecord;
  readonly answered: Answered | Failed;
}

/** Companies for whom a search is enough are asked about together; the others each by itself. */
export async function answerAll(
  services: EnrichmentServices,
  records: readonly HeldRecord[],
  time: TimeLimit,
): Promise<Asked[]> {
  const plans = await Promise.all(
    records.map(async (held) => ({ held, plan: await attempt(() => planRecord(services, held)) })),
  );
  const open = plans.flatMap(({ plan }) => (plan.kind === 'planned' ? [plan] : []));
  const search = await attempt(async () => ({
    kind: 'done' as const,
    results: await searchCompanies(services, open, askingLimits(time)),
  }));
  return Promise.all(
    plans.map(async ({ held, plan }) => {
      if (plan.kind !== 'planned') return { held, answered: plan };
      if (search.kind === 'error' && plan.searchDomain !== undefined) return { held, answered: search };
      const searched = search.kind === 'done' ? search.results.get(held.id) : undefined;
      return { held, answered: await attempt(() => answerPlanned(services, plan, { searched, time })) };
    }),
  );
}
