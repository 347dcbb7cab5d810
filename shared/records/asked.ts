import { moreUrgent, type Purpose } from '#shared/crm';
import type { Run } from './schemas.ts';

/** Request of a person or a workflow for a run. Without `maxCredits`, the policy's limits apply. */
export interface Asked extends NonNullable<Run['asked']> {
  /** The price that a person agreed to. */
  readonly maxCredits?: number | undefined;
}

/** Reason for a run. */
export interface Reason {
  readonly purpose: Purpose;
  readonly asked?: Asked | undefined;
  readonly askedBy?: string | undefined;
}

/** Joins two reasons with the same price limit: the more urgent purpose, and both requests. */
export function joinReasons(a: Reason, b: Reason): Reason {
  // The reason counts as a workflow's only if no person requested it.
  const asked = a.asked && !(a.asked.byWorkflow && b.asked) ? a.asked : b.asked;
  return { ...leading(a, b), ...(asked && { asked }) };
}

/**
 * Returns the purpose and asker of the most urgent reason. If reasons are equally urgent, the first one counts. So if
 * several askers requested a run, its charge names the asker whose request caused the question.
 */
export function leading(first: Reason, second: Reason): Pick<Reason, 'purpose' | 'askedBy'> {
  const isFirst = moreUrgent(first.purpose, second.purpose) === first.purpose;
  const { purpose, askedBy } = isFirst ? first : second;
  return { purpose, ...(askedBy !== undefined && { askedBy }) };
}
