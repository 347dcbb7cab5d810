import { DAY_MS } from '../../../../shared/kernel/index.ts';
import type { CompanyDraft } from './company-generator.ts';
import { type City, type Country, countries, countryByCode } from './countries.ts';
import { monthsBeforeAnchor, monthsBetween, WORLD_ANCHOR_MS } from './dates.ts';
import type { Draw } from './draw.ts';
import { slug } from './folding.ts';
import { names } from './names.ts';
import type { PhoneBook } from './phone-book.ts';
import { drawRole, promote } from './role-draw.ts';
import { skillsOf, titlesOf } from './titles.ts';
import type { Company, Job, PastJob, Person } from './types.ts';

export interface PeopleSource {
  readonly draw: Draw;
  readonly phoneBook: PhoneBook;
  /** Email addresses in use. */
  readonly taken: Set<string>;
  readonly drafts: readonly CompanyDraft[];
}

/** Generates the known people of one company. A few of them have the same name. */
export function generatePeople(source: PeopleSource, draft: CompanyDraft): Person[] {
  const { draw } = source;
  const emailForm = draw.weighted(EMAIL_FORMS).write;
  const heldTitles = new Set<string>();
  const people: Person[] = [];
  for (let count = 0; count < draft.knownCount; count += 1) {
    const double = people.length > 8 && draw.chance(0.004) ? draw.pick(people) : undefined;
    people.push(generatePerson(source, { draft, emailForm, heldTitles, double }));
  }
  return people;
}

interface PersonPlan {
  readonly draft: CompanyDraft;
  readonly emailForm: EmailForm;
  readonly heldTitles: Set<string>;
  /** A person of the same company whose name is reused. */
  readonly double: Person | undefined;
}

function generatePerson(source: PeopleSource, plan: PersonPlan): Person {
  const { draw, phoneBook } = source;
  const { company } = plan.draft;
  const isRemote = draw.chance(0.12);
  const { country, city } = drawHome(draw, plan.draft, isRemote);
  const culture = names[draw.pick(country.cultures)] ?? { given: [''], family: [''] };
  const firstName = plan.double?.firstName ?? draw.pick(culture.given);
  const lastName = plan.double?.lastName ?? draw.pick(culture.family);
  const role = drawRole(draw, company, plan.heldTitles);
  const name = { firstName, lastName };
  const job: Job = {
    company,
    ...role,
    seniority: draw.chance(0.96) ? role.seniority : undefined,
    startMs: drawStart(draw, company),
    isStartKnown: draw.chance(0.95),
    email: draw.chance(0.86) ? newEmail(source.taken, { name, company, form: plan.emailForm }) : undefined,
  };
  return {
    id: draw.hex(24),
    ...name,
    place: drawPlace(draw, city),
    isRemote,
    networkSlug: draw.chance(0.96) ? `${slug(`${firstName} ${lastName}`)}-sbx${draw.hex(7)}` : undefined,
    mobile: draw.chance(0.6) ? phoneBook.mobile(country, city) : undefined,
    skills: draw.some(skillsOf(role.department), draw.integer(2, 5)),
    job,
    nextJob: draw.chance(0.1) ? drawNextJob(source, job, { name, form: plan.emailForm }) : undefined,
    pastJobs: drawPastJobs(source, job),
  };
}

/** Draws a start up to eight years ago, but not before the company was founded. */
function drawStart(draw: Draw, { foundedYear = 0 }: Company): number {
  const ageMonths = monthsBetween(Date.UTC(foundedYear, 0, 1), WORLD_ANCHOR_MS);
  return monthsBeforeAnchor(draw.integer(1, Math.min(90, ageMonths - 1))) - draw.integer(0, 29) * DAY_MS;
}

function drawHome(
  draw: Draw,
  { company, country }: CompanyDraft,
  isRemote: boolean,
): { readonly country: Country; readonly city: City } {
  if (isRemote) {
    const home = draw.chance(0.85) ? country : draw.weighted(countries);
    return { country: home, city: draw.pick(home.cities) };
  }
  const office = draw.chance(0.7) ? company.locations[0] : draw.pick(company.locations);
  const home = countryByCode.get(office.countryCode) ?? country;
  return {
    country: home,
    city: home.cities.find((one) => one.name === office.city) ?? draw.pick(home.cities),
  };
}

/** Draws the place. For some people, the service knows only the state. */
function drawPlace(draw: Draw, city: City): Person['place'] {
  return city.place.state !== undefined && draw.chance(0.03) ? city.surroundings : city.place;
}

function drawPastJobs({ draw, drafts }: PeopleSource, job: Job): PastJob[] {
  const count = draw.chance(0.4) ? 0 : draw.integer(1, 3);
  return Array.from({ length: count }, () => {
    const seniority = draw.pick(['Manager', 'Senior', 'Staff', 'Staff']);
    return {
      name: draw.pick(drafts).company.name,
      title: draw.pick(titlesOf(job.department, seniority)),
      durationMonths: draw.integer(6, 70),
    };
  });
}

/** Draws a promotion or a move to another company, within three and a half years after the anchor. */
function drawNextJob(source: PeopleSource, job: Job, writer: { name: FullName; form: EmailForm }): Job {
  const { draw, drafts } = source;
  const startMs = WORLD_ANCHOR_MS + draw.integer(30, 1_280) * DAY_MS;
  const step = promote(draw, job);
  if (draw.chance(0.4)) return { ...job, ...step, startMs, isStartKnown: true };
  const company = draw.pick(drafts).company;
  const email = draw.chance(0.86) ? newEmail(source.taken, { ...writer, company }) : undefined;
  return { ...job, ...step, company, startMs, isStartKnown: true, email };
}

interface FullName {
  readonly firstName: string;
  readonly lastName: string;
}

type EmailForm = (first: string, last: string) => string;

const EMAIL_FORMS: readonly { readonly weight: number; readonly write: EmailForm }[] = [
  { weight: 65, write: (first, last) => `${first}.${last}` },
  { weight: 20, write: (first, last) => `${first.slice(0, 1)}${last}` },
  { weight: 10, write: (first, last) => `${first}_${last}` },
  { weight: 5, write: (first) => first },
];

function newEmail(
  taken: Set<string>,
  { name, company, form }: { name: FullName; company: Company; form: EmailForm },
): string {
  const local = form(slug(name.firstName), slug(name.lastName));
  for (let number = 1; ; number += 1) {
    const email = `${local}${number === 1 ? '' : number}@${company.domains[0]}`;
    if (taken.has(email)) continue;
    taken.add(email);
    return email;
  }
}
