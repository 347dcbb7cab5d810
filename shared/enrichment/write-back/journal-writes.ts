import type { CrmRecord, CrmWriteResult } from '#shared/crm';
import { type Change, changeRecord, learnOwnership, type RecordState } from '#shared/records';
import { eachAlone, type Failures } from '../failures.ts';
import type { EnrichmentServices } from '../services.ts';
import type { PlannedWrite, Writer } from './planned-write.ts';

type Services = Pick<EnrichmentServices, 'together' | 'records' | 'journal' | 'clock'>;

interface Journalling<P extends PlannedWrite> {
  readonly services: Services;
  readonly writing: { readonly writer: Pick<Writer<P>, 'entryOf' | 'disclose'> };
  /** By record id: the time until which an earlier attempt may still arrive. */
  readonly progress: { readonly openUntilMs: ReadonlyMap<string, number> };
}

/**
 * Stores the planned writes in the records' states and in the journal.
 * @returns the plans that are safe to write. A forgotten person, or a record that another worker holds, gets no write.
 */
export async function journalPlans<P extends PlannedWrite>(
  { services, writing, progress }: Journalling<P>,
  planned: readonly P[],
): Promise<{ readonly allowed: readonly P[]; readonly failures: Failures<P> }> {
  const allowed = new Set<P>();
  const failures = await eachAlone(planned, async (plan) => {
    const untilMs = progress.openUntilMs.get(plan.draft.held.id);
    const isPlanned = await services.together(async () => {
      if (!(await storeRestored(services, plan))) return false;
      const entry = {
        ...writing.writer.entryOf(plan),
        ...(untilMs !== undefined && { openUntilMs: untilMs }),
      };
      if ((await services.journal.plan(entry)) !== 'planned') return false;
      await writing.writer.disclose?.(plan);
      return true;
    });
    if (isPlanned) allowed.add(plan);
  });
  return { allowed: planned.filter((plan) => allowed.has(plan)), failures };
}

/** Stores restored values before the write, so that after a crash the next run does not replace them again. */
async function storeRestored(
  services: Services,
  { draft: { held }, broughtBack }: PlannedWrite,
): Promise<boolean> {
  if (Object.keys(broughtBack).length === 0) return true;
  const owner = held.state.claim?.owner;
  const { state } = await changeRecord(services, held, (known): { state?: RecordState } =>
    known.claim?.owner === owner ? { state: learnOwnership(known, { ownership: { broughtBack } }) } : {},
  );
  return state !== undefined;
}

/** A plan with HubSpot's result. */
interface PlanResult {
  readonly plan: PlannedWrite;
  readonly result: CrmWriteResult;
}

/** Stores HubSpot's results in the journal. A postponed write stays planned. */
export async function journalResults<R extends PlanResult>(
  { journal }: Services,
  results: readonly R[],
): Promise<Failures<R>> {
  return eachAlone(results, async ({ plan, result }) => {
    const { held } = plan.draft;
    const run = held.state.runsOpened;
    if (result.kind === 'written')
      await journal.confirm(held, run, { stored: storedOf(plan, result.properties) });
    if (result.kind === 'refused') await journal.confirm(held, run, { refused: Object.keys(plan.writes) });
  });
}

/** Returns the values as HubSpot returned them, or as they were sent if HubSpot did not return them. */
function storedOf({ writes }: PlannedWrite, returned: Readonly<Record<string, string | null>>) {
  return Object.fromEntries(
    Object.entries(writes).map(([property, sent]) => [property, returned[property] ?? sent]),
  );
}

interface Changing extends Pick<PlannedWrite, 'writes' | 'back'> {
  readonly current: CrmRecord | string | undefined;
}

/** Returns the writes as the journal stores them before they are sent. */
export function plannedChanges({ current, writes, back }: Changing): Change[] {
  const seen = typeof current === 'object' ? current : undefined;
  return Object.entries(writes).map(([property, after]) => ({
    property,
    before: seen?.properties[property] ?? null,
    after,
    state: 'planned',
    ...(seen?.updatedAtMs !== undefined && { seenAtMs: seen.updatedAtMs }),
    ...(Object.hasOwn(back, property) && { undone: true }),
  }));
}
