import { because, type Run } from '#shared/records';
import type { RecordClaim } from './services.ts';

/** A feature that the core asks at named points. The core knows the points, not the features. */
export interface Extension {
  readonly name: string;
  /** Returns the runs that may spend nothing now. */
  readonly halted?: (runs: readonly RecordClaim[]) => Promise<ReadonlySet<RecordClaim>>;
  /**
   * Whether a run may spend nothing now. Runs inside the transaction that marks a request, and holds what it reads: no
   * request is marked after a person has stopped it.
   */
  readonly holdsBack?: (run: RecordClaim) => Promise<boolean>;
}

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
