import { because, type Run } from '#shared/records';
import type { Extension, RecordClaim } from './services.ts';

interface Extended {
  readonly extensions: readonly Extension[];
}

/**
 * Splits off the runs that an extension halts. A run that has its answer, or may have sent a request, continues, because
 * its credits are spent.
 */
export async function splitHalted(
  { extensions }: Extended,
  held: readonly RecordClaim[],
): Promise<{ readonly halted: readonly RecordClaim[]; readonly others: readonly RecordClaim[] }> {
  const sets = await Promise.all(extensions.map(async ({ halted }) => halted?.(held)));
  const mustEnd = (claim: RecordClaim) =>
    hasSentNothing(claim.run) && sets.some((halted) => halted?.has(claim));
  return { halted: held.filter(mustEnd), others: held.filter((claim) => !mustEnd(claim)) };
}

/** Whether an extension holds a run back. The caller is a work of the store. */
export async function isHeldBack({ extensions }: Extended, held: RecordClaim): Promise<boolean> {
  for (const { holdsBack } of extensions) if (await holdsBack?.(held)) return true;
  return false;
}

/** Whether the run has sent no request that its counted credits do not include. */
export function hasSentNothing({ answeredQuestion, commitments = [] }: Run): boolean {
  return answeredQuestion === undefined && commitments.length === 0;
}

/**
 * Ends a run that was halted before its lookup.
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
