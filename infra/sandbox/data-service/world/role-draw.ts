import type { Draw } from './draw.ts';
import { SENIORITIES, titlesOf } from './titles.ts';
import type { Company, Job } from './types.ts';

type RolePart = Pick<Job, 'title' | 'department'> & { readonly seniority: string };

const DEPARTMENT_WEIGHTS = [
  { name: 'Engineering', weight: 26 },
  { name: 'Sales', weight: 20 },
  { name: 'Operations', weight: 15 },
  { name: 'Marketing', weight: 11 },
  { name: 'Customer Success', weight: 9 },
  { name: 'Product', weight: 8 },
  { name: 'Finance', weight: 6 },
  { name: 'Human Resources', weight: 5 },
];

/** Weights by seniority. In a small company, leaders are a larger share. */
const SENIORITY_WEIGHTS = {
  small: [18, 5, 8, 14, 20, 32, 3],
  large: [5, 5, 9, 18, 26, 33, 4],
};

/** Draws a department, a seniority and a fitting title. Each C-level title occurs only once in a company. */
export function drawRole(draw: Draw, company: Company, heldTitles: Set<string>): RolePart {
  const department = draw.weighted(DEPARTMENT_WEIGHTS).name;
  const weights = company.employeeCount <= 20 ? SENIORITY_WEIGHTS.small : SENIORITY_WEIGHTS.large;
  const level = draw.weighted(SENIORITIES.map((name, place) => ({ name, weight: weights[place] ?? 0 }))).name;
  if (level !== 'C-Suite')
    return { department, seniority: level, title: draw.pick(titlesOf(department, level)) };
  const free = titlesOf(department, level).filter((title) => isFree(title, company, heldTitles));
  const title = free[0];
  if (title === undefined)
    return { department, seniority: 'VP', title: draw.pick(titlesOf(department, 'VP')) };
  heldTitles.add(title);
  return { department, seniority: level, title };
}

function isFree(title: string, company: Company, heldTitles: ReadonlySet<string>): boolean {
  if (title === 'Chief Information Officer' && company.hasCio !== 'Yes') return false;
  if (title === 'Chief Information Security Officer' && company.hasCiso !== 'Yes') return false;
  return !heldTitles.has(title);
}

/** Draws a title one level higher in the same department, but below the C-suite. */
export function promote(draw: Draw, job: Job): RolePart {
  const place = SENIORITIES.indexOf(job.seniority ?? 'Staff');
  const seniority = SENIORITIES[Math.max(1, place - 1)] ?? 'VP';
  return { department: job.department, seniority, title: draw.pick(titlesOf(job.department, seniority)) };
}
