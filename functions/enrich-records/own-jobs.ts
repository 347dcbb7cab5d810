import { type Job, joinJobs } from '#shared/work-queue/coalesce.ts';

export interface SortedJobs {
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

export function messageIdsOf(jobs: readonly Job[]): string[] {
  return jobs.flatMap(({ messageIds }) => messageIds);
}
