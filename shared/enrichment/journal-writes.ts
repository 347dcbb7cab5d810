import type { CrmWriteResult } from '../records/crm.ts';
import type { Change, JournalEntry } from '../records/journal-entry.ts';
import type { EnrichmentDeps } from './deps.ts';
import { creditsOf, type Planned } from './plan-writes.ts';

/** Says in the journal what is about to be written. @returns what may be: nothing of a person who was forgotten. */
export async function journalPlans(
  deps: EnrichmentDeps,
  planned: readonly Planned[],
): Promise<readonly Planned[]> {
  const allowed = await Promise.all(
    planned.map(async (plan) => (await deps.journal.plan(entryOf(deps, plan))) === 'planned'),
  );
  return planned.filter((_, index) => allowed[index]);
}

/** Says in the journal what HubSpot made of it; where it did not get as far as the record, the plan stands. */
export async function journalResults(
  { journal }: EnrichmentDeps,
  results: readonly { readonly plan: Planned; readonly result: CrmWriteResult | undefined }[],
): Promise<void> {
  await Promise.all(
    results.map(async ({ plan: { draft }, result }) => {
      const { held } = draft;
      const run = held.state.runsOpened;
      if (result?.kind === 'written') await journal.confirm(held, run, { stored: result.properties });
      if (result?.kind === 'refused') await journal.confirm(held, run, 'refused');
    }),
  );
}

function entryOf({ policy, clock }: EnrichmentDeps, plan: Planned): JournalEntry {
  const { draft, outcome } = plan;
  const { held, answered } = draft;
  const { objectType, id, run } = held;
  return {
    ...{ objectType, id, outcome, kind: 'enrichment', purpose: run.purpose, reason: draft.reason },
    run: held.state.runsOpened,
    eventKeys: run.eventKeys ?? [],
    policyVersion: policy.version,
    ...(answered.kind === 'found' && {
      question: {
        key: answered.questionKey,
        operation: answered.operation,
        askedAtMs: answered.askedAtMs,
      },
    }),
    credits: creditsOf(answered),
    changes: changesOf(plan),
    atMs: clock.now(),
  };
}

function changesOf({ current, writes }: Planned): Change[] {
  const before = typeof current === 'string' ? {} : current.properties;
  return Object.entries(writes).map(([property, after]) => ({
    property,
    before: before[property] ?? null,
    after,
    state: 'planned',
  }));
}
