import type { Explanation } from '#shared/ownership';
import type { RecordState, Run } from '#shared/records';
import type { Extension, RecordClaim } from './services.ts';

interface Extended {
  readonly extensions: readonly Extension[];
}

interface HaltedRun {
  readonly claim: RecordClaim;
  readonly reason: Explanation;
}

/**
 * Splits off the runs that an extension halts. A run that has its answer, or may have sent a request, continues, because
 * its credits are spent.
 */
export async function splitHalted(
  { extensions }: Extended,
  held: readonly RecordClaim[],
): Promise<{ readonly halted: readonly HaltedRun[]; readonly others: readonly RecordClaim[] }> {
  const reasons = new Map<RecordClaim, Explanation>();
  const unsent = held.filter(({ run }) => hasSentNothing(run));
  for (const { halt } of extensions)
    for (const claim of (await halt?.ofBatch(unsent)) ?? []) if (halt) reasons.set(claim, halt.reason);
  const halted = [...reasons].map(([claim, reason]) => ({ claim, reason }));
  return { halted, others: held.filter((claim) => !reasons.has(claim)) };
}

/** Whether an extension halts the run. The caller is a work of the store. */
export async function isRunHalted({ extensions }: Extended, held: RecordClaim): Promise<boolean> {
  for (const { halt } of extensions) if (await halt?.inTransaction(held)) return true;
  return false;
}

/** Returns why an ended run waits for an event that an extension knows; `undefined` if it has really ended. */
export async function reopensAfter(
  extensions: readonly Pick<Extension, 'reopensAfter'>[],
  state: RecordState,
): Promise<string | undefined> {
  for (const extension of extensions) {
    const reason = await extension.reopensAfter?.(state);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether the run has sent no request that its counted credits do not include. */
export function hasSentNothing({ answeredQuestion, commitments = [] }: Run): boolean {
  return answeredQuestion === undefined && commitments.length === 0;
}

/**
 * Ends a run that was halted before its lookup.
 * @param credits credits that the run has cost, or may have cost.
 */
export function withdrawn(reason: Explanation, credits: number) {
  return {
    outcome: 'skipped',
    reason,
    // Only a record without cost is withdrawn. A record that has cost credits counts as done.
    learned: credits === 0 ? { isWithdrawn: true } : {},
  } as const;
}
