import type { CrmWriteResult } from '#shared/crm';
import type { Change, JournalEntry } from '#shared/records';
import { creditsOf } from '../ask/answered.ts';
import { eachAlone, type Failures } from '../failures.ts';
import type { EnrichmentServices } from '../services.ts';
import type { WritePlan } from './plan-writes.ts';

/**
 * Says in the journal what is about to be written.
 * @param openUntilMs by record id, until when an earlier attempt may still arrive.
 * @returns what may be: nothing of a person who was forgotten.
 */
export async function journalPlans(
  services: EnrichmentServices,
  planned: readonly WritePlan[],
  openUntilMs: ReadonlyMap<string, number>,
): Promise<{ readonly allowed: readonly WritePlan[]; readonly failures: Failures<WritePlan> }> {
  const allowed = new Set<WritePlan>();
  const failures = await eachAlone(planned, async (plan) => {
    const untilMs = openUntilMs.get(plan.draft.held.id);
    const entry = { ...entryOf(services, plan), ...(untilMs !== undefined && { openUntilMs: untilMs }) };
    if ((await services.journal.plan(entry)) === 'planned') allowed.add(plan);
  });
  return { allowed: planned.filter((plan) => allowed.has(plan)), failures };
}

/** A plan, and what HubSpot answered to it. */
export interface PlanResult {
  readonly plan: WritePlan;
  readonly result: CrmWriteResult;
}

/** Says in the journal what HubSpot made of it; where it did not get as far as the record, the plan stands. */
export async function journalResults(
  { journal }: EnrichmentServices,
  results: readonly PlanResult[],
): Promise<Failures<PlanResult>> {
  return eachAlone(results, async ({ plan, result }) => {
    const { held } = plan.draft;
    const run = held.state.runsOpened;
    if (result.kind === 'written')
      await journal.confirm(held, run, { stored: storedOf(plan, result.properties) });
    if (result.kind === 'refused') await journal.confirm(held, run, { refused: Object.keys(plan.writes) });
  });
}

/** As HubSpot returned what was written; as it was sent where it returned nothing of it. */
function storedOf({ writes }: WritePlan, returned: Readonly<Record<string, string | null>>) {
  return Object.fromEntries(
    Object.entries(writes).map(([property, sent]) => [property, returned[property] ?? sent]),
  );
}

function entryOf({ policy, clock }: EnrichmentServices, plan: WritePlan): JournalEntry {
  const { draft, outcome } = plan;
  const { held, answered } = draft;
  const { objectType, id, run } = held;
  return {
    ...{ objectType, id, outcome, kind: 'enrichment', purpose: run.purpose, reason: plan.reason },
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
    ...(held.state.backfill?.runId === run.id && { backfillId: held.state.backfill.id }),
    changes: changesOf(plan),
    ...(draft.dropped.length > 0 && { dropped: draft.dropped }),
    atMs: clock.now(),
    sentAtMs: clock.now(),
  };
}

function changesOf({ current, writes, back }: WritePlan): Change[] {
  const before = typeof current === 'string' ? {} : current.properties;
  return Object.entries(writes).map(([property, after]) => ({
    property,
    before: before[property] ?? null,
    after,
    state: 'planned',
    ...(Object.hasOwn(back, property) && { undone: true }),
  }));
}
