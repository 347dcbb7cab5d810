import { monthsBetween, type Place } from './tables.ts';

export interface Address extends Place {
  readonly street?: string | undefined;
  readonly postcode?: string | undefined;
  readonly isHeadquarters: boolean;
}

export interface FundingRound {
  readonly type: string;
  /** US dollars. */
  readonly amount?: number | undefined;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly valuation?: number | undefined;
  /** The lead investor first. */
  readonly investors: readonly string[];
}

export interface Company {
  readonly id: string;
  readonly name: string;
  readonly about?: string | undefined;
  /** Last part of the company page's address. */
  readonly networkSlug: string;
  readonly domains: readonly [string, ...string[]];
  readonly industry: string;
  readonly industries: readonly string[];
  readonly specialties: readonly string[];
  readonly foundedYear?: number | undefined;
  readonly employeeCount: number;
  readonly sizeLabel: string;
  readonly growthPercent?: number | undefined;
  readonly locations: readonly [Address, ...Address[]];
  readonly phone?: string | undefined;
  readonly revenue?: { readonly label: string; readonly amount: number; readonly year: number } | undefined;
  readonly type: 'Public' | 'Private' | 'Non-profit';
  readonly stockSymbol?: string | undefined;
  /** Names of tools by category. A company can lack some categories. */
  readonly technologies: Readonly<Record<string, string>>;
  /** Visits a month. */
  readonly visits?: number | undefined;
  /** Oldest first. Empty if no round is known. */
  readonly funding: readonly FundingRound[];
}

export interface Job {
  readonly company: Company;
  readonly title: string;
  readonly department: string;
  /** A seniority of the employee search. The person record shows C-Suite as C-Team. */
  readonly seniority?: string | undefined;
  /** Epoch milliseconds, midnight UTC. */
  readonly startMs: number;
  /** Whether the service knows the start date. */
  readonly isStartKnown: boolean;
  readonly email?: string | undefined;
}

export interface PastJob {
  readonly name: string;
  readonly title: string;
  readonly durationMonths: number;
}

export interface Person {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly place: Place;
  readonly isRemote: boolean;
  readonly networkSlug?: string | undefined;
  /** E.164. */
  readonly mobile?: string | undefined;
  readonly job: Job;
  /** Becomes the present job when the clock passes its start date. So people change jobs while the stand-in runs. */
  readonly nextJob?: Job | undefined;
  readonly pastJobs: readonly PastJob[];
}

export interface World {
  readonly people: readonly Person[];
  readonly companies: readonly Company[];
}

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
  return world.people.filter((person) => jobAt(person, nowMs).company === company);
}
