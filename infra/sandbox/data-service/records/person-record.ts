import type { ContactOptions } from '../parameters.ts';
import { isoDay } from '../world/dates.ts';
import { jobAt } from '../world/employment.ts';
import type { Job, Person } from '../world/types.ts';
import { companyPageUrl, profileUrl, type WireRecord, websiteUrl, withoutGaps } from './record.ts';

export const EVERYTHING: ContactOptions = { email: true, phone: true };
export const NO_CONTACT: ContactOptions = { email: false, phone: false };

/** The specification's "Person record". */
export function personRecord(person: Person, nowMs: number, options: ContactOptions): WireRecord {
  const job = jobAt(person, nowMs);
  const { place } = person;
  return withoutGaps({
    id: person.id,
    name: fullName(person),
    first_name: person.firstName,
    last_name: person.lastName,
    title: job.title,
    seniority: job.seniority === 'C-Suite' ? 'C-Team' : job.seniority,
    network_url: profileUrl(person.networkSlug),
    job_start_date: jobStartDate(job),
    city: place.city,
    state: place.state,
    country: place.country,
    country_code: place.countryCode,
    country_region: place.region,
    email: options.email ? job.email : undefined,
    mobile_number: options.phone ? person.mobile : undefined,
    organization_id: job.company.id,
    'organizations.name': job.company.name,
    'organizations.network_url': companyPageUrl(job.company.networkSlug),
    'organizations.primary_domain': job.company.domains[0],
    'organizations.website_url': websiteUrl(job.company.domains[0]),
    'organizations.founded_year': job.company.foundedYear,
  });
}

export function fullName({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

export function jobStartDate(job: Job): string | undefined {
  return job.isStartKnown ? isoDay(job.startMs) : undefined;
}
