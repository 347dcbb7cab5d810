import { laneOf } from '#shared/crm/purpose.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import { type Job, joinJobs } from './coalesce.ts';

interface SortedJobs {
  /** Ours, one a record: what an operator or a schedule asked for is joined to what our portal told. */
  readonly own: readonly Job[];
  /** Told by other portals, whose records are none of ours even where their ids are equal. */
  readonly foreign: readonly Job[];
  /** Told by some portal, while nobody knows which one is ours. */
  readonly undecided: readonly Job[];
}

/** @param ownPortalId nothing while it is not known. */
export function sortJobs(jobs: readonly Job[], ownPortalId: string | undefined): SortedJobs {
  const [own, foreign, undecided]: [Job[], Job[], Job[]] = [[], [], []];
  for (const job of jobs) {
    const { portalId, ...message } = job.message;
    if (portalId === undefined || portalId === ownPortalId) own.push({ ...job, message });
    else (ownPortalId === undefined ? undecided : foreign).push(job);
  }
  return { own: joinJobs(own), foreign, undecided };
}

/** What has lain in the queue for longer shows that more comes than can be worked off. */
const FRESH_MS = 30 * SECOND_MS;

/**
 * What comes in masses, and what is not fresh any more, is only noted in the record's state: a queue that is read at
 * once loses nothing to its retention, and what waits is let in by its turn, and not by its place in the queue.
 */
export function isForLater({ message, sentAtMs }: Job, nowMs: number): boolean {
  const { purpose, eventKeys, gone, mergedIds } = message;
  if (eventKeys.length === 0 || gone || mergedIds) return false;
  return laneOf(purpose) === 'bulk' || (sentAtMs !== undefined && nowMs - sentAtMs > FRESH_MS);
}
