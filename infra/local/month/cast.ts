import type { Random } from '#shared/kernel';
import type { Company, Person } from '../../sandbox/data-service/data-service-sandbox.ts';
import type { Properties } from '../virtual/people-at-hubspot.ts';

export type Cast = ReturnType<typeof drawCharacters>;

type KnownPerson = Person & { readonly networkSlug: string; readonly job: { readonly email: string } };

/**
 * Draws the people and companies of the month from the data service's records. Each record is drawn at most one time.
 */
export function drawCharacters(
  { people, companies }: { people: readonly Person[]; companies: readonly Company[] },
  { random, moveFromMs, moveToMs }: { random: Random; moveFromMs: number; moveToMs: number },
) {
  const known = shuffled(people.filter(isKnown), random);
  const isMover = ({ nextJob, job }: KnownPerson) =>
    nextJob !== undefined &&
    nextJob.company !== job.company &&
    nextJob.startMs > moveFromMs &&
    nextJob.startMs < moveToMs;
  const movers = known.filter(isMover);
  const stayers = known.filter((person) => person.nextJob === undefined);
  const firms = shuffled(companies, random);
  let strangers = 0;
  let leads = 0;
  const takeStayer = () => takeOne(stayers);
  const drawLead = (): Properties => {
    const draw = random();
    const person = takeStayer();
    const { firstName: firstname, lastName: lastname } = person;
    if (draw < 0.45) return { email: person.job.email };
    if (draw < 0.7) return profileOf(person);
    if (draw < 0.8) return { firstname, lastname, website: person.job.company.domains[0] };
    strangers += 1;
    if (draw < 0.93) return { email: `hello.there${strangers}@unknown-firm-${strangers}.com` };
    return { firstname, email: `somebody${strangers}@gmail.com` };
  };
  return {
    byProfile: () => profileOf(takeStayer()),
    byEmail: () => ({ email: takeStayer().job.email }),
    /** A person who changes the employer between `moveFromMs` and `moveToMs`. */
    mover: () => profileOf(takeOne(movers)),
    /** One person's address with another person's name. */
    mixedUp: (): Properties => {
      const { firstName: firstname, lastName: lastname } = takeStayer();
      return { email: takeStayer().job.email, firstname, lastname };
    },
    /** A lead, with the identifiers that leads usually have. Some are as untidy as people and forms leave them. */
    lead: (): Properties => {
      const lead = drawLead();
      leads += 1;
      const untidy = leads % TIDY_LEADS === 0 ? UNTIDY[(leads / TIDY_LEADS) % UNTIDY.length] : undefined;
      return untidy ? untidy(lead, leads) : lead;
    },
    company: (): Properties => {
      const { name, domains } = takeOne(firms);
      return random() < 0.5 ? { domain: domains[0] } : { name, domain: domains[0] };
    },
  };
}

/** After so many leads comes an untidy one. */
const TIDY_LEADS = 4;

const UNTIDY: readonly ((lead: Properties, nth: number) => Properties)[] = [
  ({ email, ...lead }, nth) => (email ? { email: email.replace(/^[^@]+/, `rechnung${nth}`) } : lead),
  (lead) => ({ ...lead, company: 'N/A' }),
  ({ hs_linkedin_url: url, ...lead }) => ({
    ...lead,
    ...(url ? { hs_linkedin_url: `${url}/overlay/contact-info/` } : { lastname: 'null' }),
  }),
];

function isKnown(person: Person): person is KnownPerson {
  const { networkSlug, job } = person;
  return networkSlug !== undefined && job.email !== undefined && job.seniority !== undefined;
}

function profileOf({ firstName: firstname, lastName: lastname, networkSlug }: KnownPerson): Properties {
  return { firstname, lastname, hs_linkedin_url: `https://www.linkedin.com/in/${networkSlug}` };
}

function takeOne<T>(from: T[]): T {
  const one = from.pop();
  if (one === undefined) throw new Error('The stand-in has too few records.');
  return one;
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  const order = [...all];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other] as T, order[index] as T];
  }
  return order;
}
