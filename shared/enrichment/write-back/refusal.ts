import type { CrmWriteResult } from '#shared/crm/crm.ts';
import type { Lesson } from '#shared/records/write-breaker.ts';
import type { Written } from './guarded-writes.ts';
import type { Planned } from './plan-writes.ts';

/** Refusals that are the account's, not the value's: an administrator can lift them. */
const LIFTABLE = /MISSING_|READ_ONLY|DOESNT_EXIST|INVALID_OPTION|PERMISSION/;

/**
 * What HubSpot does not take now and may take later, for a person: all values of the answer, or those that it was
 * written without. A status is not worth waiting for.
 */
export function refusalOf(plan: Planned, result: CrmWriteResult | undefined): string | undefined {
  const { draft, filled, back } = plan;
  const hasValues = filled.length > 0 || Object.keys(back).length > 0;
  if (result?.kind === 'refused' && hasValues) return result.reason;
  const liftable = (draft.leftOut ?? []).filter(
    ({ property, reason }) => LIFTABLE.test(reason) && !property.startsWith('enrichment_'),
  );
  return liftable.length > 0
    ? liftable.map(({ property, reason }) => `${property}: ${reason}`).join(', ')
    : undefined;
}

/** What a batch taught of whether HubSpot takes what was bought. */
export function lessonOf(written: readonly Written[]): Lesson | undefined {
  const refused: string[] = [];
  for (const each of written) {
    if (each.kind === 'stopped' && each.error.code === 'HUBSPOT_FORBIDDEN') refused.push(each.error.message);
    if (each.kind !== 'done' || each.plan.filled.length === 0) continue;
    if (each.result?.kind === 'written') return { kind: 'written' };
    if (each.result?.kind === 'refused') refused.push(each.result.reason);
  }
  const [reason] = refused;
  return reason === undefined ? undefined : { kind: 'refused', count: refused.length, reason };
}
