import type { WriteOutcome } from '#shared/records';
import type { WritePlan } from './plan-writes.ts';
import type { WriteResult } from './planned-write.ts';

/**
 * Returns whether HubSpot accepts paid values. Each refused record counts one time, because a retry that is refused
 * again says nothing about other records.
 */
export function outcomesOf(results: readonly WriteResult<WritePlan>[]): WriteOutcome[] {
  return results.flatMap((each) => outcomeOf(each) ?? []);
}

function outcomeOf(written: WriteResult<WritePlan>): WriteOutcome | undefined {
  if (written.kind === 'unjournalled') return undefined;
  if (written.kind === 'stopped') {
    const { code, message: reason } = written.error;
    const isNew = written.draft.held.run.answeredQuestion === undefined;
    return isNew && code === 'HUBSPOT_FORBIDDEN' ? { reason, properties: [] } : undefined;
  }
  const { plan, result } = written;
  if (plan.filled.length === 0) return undefined;
  if (result?.kind === 'written') return 'written';
  const isNew = plan.draft.held.run.answeredQuestion === undefined;
  return isNew && result?.kind === 'refused' ? result : undefined;
}
