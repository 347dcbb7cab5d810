import type { Run } from './schemas.ts';

/** The charges and commitments of a run. */
export type RunCharges = Pick<Run, 'credits' | 'commitments'>;

/** Returns the credits that count against a run's price: its charges, and the highest cost of its open attempts. */
export function committedCredits({ credits, commitments = [] }: RunCharges): number {
  return commitments.reduce((sum, attempt) => sum + attempt.credits, credits);
}
