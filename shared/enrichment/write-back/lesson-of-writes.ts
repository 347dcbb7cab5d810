import type { WriteObservation } from '#shared/records';
import type { WriteResult } from './guarded-writes.ts';

/**
 * What a batch taught of whether HubSpot takes what was bought. Of one record it is news once: tried again and refused
 * again, it says nothing of others.
 */
export function lessonOf(written: readonly WriteResult[]): WriteObservation | undefined {
  const refused: string[] = [];
  for (const each of written) {
    if (each.kind === 'done' && each.result?.kind === 'written' && each.plan.filled.length > 0)
      return { kind: 'written' };
    const reason = refusedWhole(each);
    if (reason !== undefined) refused.push(reason);
  }
  const [reason] = refused;
  return reason === undefined ? undefined : { kind: 'refused', count: refused.length, reason };
}

function refusedWhole(written: WriteResult): string | undefined {
  if (written.kind === 'unjournalled') return undefined;
  const { held } = written.kind === 'done' ? written.plan.draft : written.draft;
  if (held.run.answeredQuestion !== undefined) return undefined;
  if (written.kind === 'stopped')
    return written.error.code === 'HUBSPOT_FORBIDDEN' ? written.error.message : undefined;
  const { plan, result } = written;
  return result?.kind === 'refused' && plan.filled.length > 0 ? result.reason : undefined;
}
