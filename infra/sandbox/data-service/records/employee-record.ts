import type { ContactOptions } from '../parameters.ts';
import { monthsBetween } from '../world/dates.ts';
import { jobAt, pastJobsAt } from '../world/employment.ts';
import type { Person } from '../world/types.ts';
import { fullName, jobStartDate } from './person-record.ts';
import { profileUrl, type WireRecord, withoutGaps } from './record.ts';

/** The specification's "Employee record". */
export function employeeRecord(person: Person, nowMs: number, options: ContactOptions): WireRecord {
  const job = jobAt(person, nowMs);
  return withoutGaps({
    id: person.id,
    name: fullName(person),
    first_name: person.firstName,
    last_name: person.lastName,
    title: job.title,
    department: job.department,
    seniority: job.seniority,
    network_url: profileUrl(person.networkSlug),
    job_start_date: jobStartDate(job),
    tenure_months: job.isStartKnown ? monthsBetween(job.startMs, nowMs) : undefined,
    location: employeeLocation(person),
    email: options.email ? job.email : undefined,
    mobile_number: options.phone ? person.mobile : undefined,
    previous_companies: pastJobsAt(person, nowMs).map(({ name, title, durationMonths }) => ({
      name,
      title,
      duration_months: durationMonths,
    })),
  });
}

/** "City, state or `Remote`". The country, if the service knows neither city nor state. */
function employeeLocation({ isRemote, place }: Person): string {
  if (isRemote) return 'Remote';
  const parts = [place.city, place.state].filter((part) => part !== undefined);
  return parts.length === 0 ? place.country : parts.join(', ');
}
