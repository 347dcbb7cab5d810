import { backfillRunOf, because, type Run } from '#shared/records';
import type { PlacedItems } from '#shared/store';
import type { RecordClaim } from '../services.ts';
import type { Backfill } from './schemas.ts';
import { backfillKind } from './stored-kinds.ts';
import { isHalted } from './transitions.ts';

interface HaltServices {
  readonly backfills: Pick<PlacedItems<Backfill>, 'read' | 'hold'>;
}

/** Returns the id of a run's backfill; `undefined` for a run of another purpose. */
function backfillOf({ run, state }: Pick<RecordClaim, 'run' | 'state'>): string | undefined {
  return run.purpose === 'backfill' ? backfillRunOf(state, run.id)?.id : undefined;
}

/**
 * Whether a run's backfill was stopped or paused; false for a run of another purpose. Inside a work of the store, it holds
 * the backfill fast: no request is marked after a person has stopped it.
 */
export async function isHaltedNow({ backfills }: HaltServices, held: RecordClaim): Promise<boolean> {
  const id = backfillOf(held);
  if (id === undefined) return false;
  const stored = await backfills.hold(backfillKind.key(id));
  return !stored || isHalted(stored.value);
}

/**
 * Splits off the runs whose backfill was stopped or paused. A run that has its answer, or may have sent a request,
 * continues, because its credits are spent. Reads each backfill once.
 */
export async function splitHalted(
  services: HaltServices,
  held: readonly RecordClaim[],
): Promise<{ readonly halted: readonly RecordClaim[]; readonly others: readonly RecordClaim[] }> {
  const ids = new Set(held.flatMap((claim) => backfillOf(claim) ?? []));
  const halted = new Set<string | undefined>();
  for (const id of ids) if (await isStoppedOrPaused(services, id)) halted.add(id);
  const mustEnd = (claim: RecordClaim) => hasSentNothing(claim.run) && halted.has(backfillOf(claim));
  return { halted: held.filter(mustEnd), others: held.filter((claim) => !mustEnd(claim)) };
}

/** Whether the run has sent no request that its counted credits do not include. */
export function hasSentNothing({ answeredQuestion, commitments = [] }: Run): boolean {
  return answeredQuestion === undefined && commitments.length === 0;
}

/** A missing backfill counts as stopped, because this spends less. */
async function isStoppedOrPaused({ backfills }: HaltServices, id: string): Promise<boolean> {
  const stored = await backfills.read(backfillKind.key(id));
  return !stored || isHalted(stored.value);
}

/**
 * Ends a run that was not looked up because its backfill was stopped or paused.
 * @param credits credits that the run has cost, or may have cost.
 */
export function withdrawn(credits: number) {
  return {
    outcome: 'skipped',
    reason: because('backfill-halted'),
    // Only a record without cost is withdrawn. A record that has cost credits counts as done.
    learned: credits === 0 ? { isWithdrawn: true } : {},
  } as const;
}
