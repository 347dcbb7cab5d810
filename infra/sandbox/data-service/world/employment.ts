import { monthsBetween } from './dates.ts';
import type { Company, Job, PastJob, Person } from './types.ts';
import type { World } from './world.ts';

/** A person's job at a time of the stand-in's clock. */
export function jobAt(person: Person, nowMs: number): Job {
  const { nextJob } = person;
  return nextJob !== undefined && nowMs >= nextJob.startMs ? nextJob : person.job;
}

/** Former jobs, newest first, three at most ("limited history"). */
export function pastJobsAt(person: Person, nowMs: number): readonly PastJob[] {
  if (jobAt(person, nowMs) === person.job || person.nextJob === undefined) return person.pastJobs;
  const { job, nextJob } = person;
  const durationMonths = monthsBetween(job.startMs, nextJob.startMs);
  return [{ name: job.company.name, title: job.title, durationMonths }, ...person.pastJobs].slice(0, 3);
}

/** Employees of a company at a time, in the world's order. */
export function currentStaff(world: World, company: Company, nowMs: number): Person[] {
  return (world.staff.get(company) ?? []).filter((person) => jobAt(person, nowMs).company === company);
}
