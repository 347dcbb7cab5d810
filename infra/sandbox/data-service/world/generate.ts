import { assert, DAY_MS, type Random, seededRandom } from '../../../../shared/kernel/index.ts';
import {
  type City,
  type Country,
  countries,
  countryByCode,
  FUNDING_EXITS,
  FUNDING_STAGES,
  INVESTOR_ENDINGS,
  type Industry,
  industries,
  isoDay,
  MONTH_MS,
  monthsBetween,
  NAME_BEGINNINGS,
  NAME_ENDINGS,
  names,
  REVENUE_BANDS,
  SENIORITIES,
  SIZE_BANDS,
  STREETS,
  slug,
  TECHNOLOGIES,
  titlesOf,
} from './tables.ts';
import type { Address, Company, FundingRound, Job, PastJob, Person, World } from './world.ts';

const COMPANIES = 400;
const MIN_PEOPLE = 2_000;

/** Date of the world's state. All dates in the world are earlier, except those of future job changes. */
const WORLD_ANCHOR_MS = Date.UTC(2026, 5, 1);

const generated = new Map<number, World>();

/** The world of a seed, which is the same in every process. It is generated at its first use. */
export function worldOf(seed: number): World {
  const world = generated.get(seed) ?? generateWorld(seed);
  generated.set(seed, world);
  return world;
}

export function generateWorld(seed: number): World {
  const source: Source = {
    draw: createDraw(seededRandom(seed)),
    phones: createPhoneBook(),
    taken: new Set(),
    drafts: [],
  };
  for (let people = 0; people < MIN_PEOPLE || source.drafts.length < COMPANIES; ) {
    const draft = generateCompany(source);
    people += draft.knownCount;
    source.drafts.push(draft);
  }
  const people = source.drafts.flatMap((draft) => generatePeople(source, draft));
  return { people, companies: source.drafts.map(({ company }) => company) };
}

interface Source {
  readonly draw: Draw;
  readonly phones: ReturnType<typeof createPhoneBook>;
  /** Domains, page slugs and email addresses in use. */
  readonly taken: Set<string>;
  readonly drafts: CompanyDraft[];
}

interface CompanyDraft {
  readonly company: Company;
  readonly country: Country;
  /** Number of the company's people that the service knows. */
  readonly knownCount: number;
}

type Draw = ReturnType<typeof createDraw>;

/** Random draws from one seeded sequence. The order of the calls determines the world. */
export function createDraw(random: Random) {
  const integer = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <T>(items: readonly T[]): T => itemAt(items, integer(0, items.length - 1));
  return {
    chance: (probability: number) => random() < probability,
    /** Draws a whole number from `min` to `max`, both included. */
    integer,
    pick,
    /** Draws one of the items by `weight`. */
    weighted: <T extends { readonly weight: number }>(items: readonly T[]): T => {
      let left = random() * items.reduce((sum, item) => sum + item.weight, 0);
      for (const item of items) {
        left -= item.weight;
        if (left < 0) return item;
      }
      return itemAt(items, items.length - 1);
    },
    /** Draws up to `count` different items. They follow each other in the list, from a random start. */
    some: <T>(items: readonly T[], count: number): T[] => {
      const start = integer(0, items.length - 1);
      return items.map((_, step) => itemAt(items, (start + step) % items.length)).slice(0, count);
    },
    hex: (length: number) => Array.from({ length }, () => integer(0, 15).toString(16)).join(''),
    /** Fills a template: `#` becomes a digit, `@` a letter. */
    fill: (template: string) =>
      template.replace(/[#@]/g, (sign) => (sign === '#' ? String(integer(0, 9)) : pick([...LETTERS]))),
  };
}

const LETTERS = 'ABCDEGHJKLMNPRSTVWXY';

function itemAt<T>(items: readonly T[], index: number): T {
  assert(index >= 0 && index < items.length, 'a draw from an empty list');
  return items[index] as T;
}

/** Assigns each number of a country's blocks once, in E.164. Gives `undefined` if all numbers are used up. */
function createPhoneBook() {
  const given = new Map<string, number>();
  const next = (country: Country, prefix: string): string | undefined => {
    const block = `${country.callingCode}${prefix}`;
    const digits = country.nationalLength - prefix.length;
    const size = 10 ** digits;
    const count = given.get(block) ?? 0;
    if (count >= size) return undefined;
    given.set(block, count + 1);
    // 37 has no common factor with a power of ten. So each number of the block occurs once, in mixed order.
    return `+${block}${String((count * 37) % size).padStart(digits, '0')}`;
  };
  return (country: Country, prefixes: readonly string[]): string | undefined => {
    for (const prefix of prefixes) {
      const number = next(country, prefix);
      if (number !== undefined) return number;
    }
    return undefined;
  };
}

/** Midnight UTC of the day that is `months` average months before the anchor. */
function monthsBeforeAnchor(months: number): number {
  return Math.floor((WORLD_ANCHOR_MS - months * MONTH_MS) / DAY_MS) * DAY_MS;
}

/** Generates one company with consistent facts: name, trade, domains, places, size, money and tools. */
function generateCompany({ draw, phones, taken }: Source): CompanyDraft {
  const country = draw.weighted(countries);
  const trade = draw.weighted(industries);
  const sideTrade = draw.chance(0.25) ? draw.weighted(industries) : trade;
  const trades = trade === sideTrade ? [trade] : [trade, sideTrade];
  const band = draw.weighted(SIZE_BANDS);
  const employeeCount = draw.integer(band.min, band.max);
  const identity = drawIdentity(draw, { taken, trade, country });
  const city = draw.pick(country.cities);
  const branches = band.max <= 50 ? 0 : draw.integer(0, band.max <= 500 ? 2 : 4);
  const locations: [Address, ...Address[]] = [
    drawAddress(draw, city, true),
    ...Array.from({ length: branches }, () => {
      const place = draw.chance(0.75) ? country : draw.weighted(countries);
      return drawAddress(draw, draw.pick(place.cities), false);
    }),
  ];
  const isPublic = band.min > 500 && draw.chance(0.6);
  const type = trade.name.startsWith('Non-profit') ? 'Non-profit' : isPublic ? 'Public' : 'Private';
  const isFunded = type === 'Public' || (type === 'Private' && draw.chance(0.45));
  const funding = isFunded ? drawFunding(draw, type === 'Public') : [];
  const latest = funding[0] === undefined ? 2024 : Number(funding[0].date.slice(0, 4)) - 1;
  const revenueUsd = employeeCount * draw.integer(60, 260) * 1_000;
  const label = REVENUE_BANDS.findLast(([, from]) => revenueUsd >= from)?.[0] ?? '';
  const company: Company = {
    ...identity,
    industry: trade.name,
    industries: trades.map((one) => one.name),
    specialties: draw.chance(0.9) ? draw.some(trade.specialties, draw.integer(2, 4)) : [],
    employeeCount,
    sizeLabel: band.label,
    growthPercent: draw.chance(0.9) ? draw.integer(-200, 450) / 10 : undefined,
    type,
    stockSymbol: type === 'Public' ? draw.fill('@@@@') : undefined,
    funding,
    foundedYear: draw.chance(0.92) ? latest - draw.integer(0, draw.chance(0.3) ? 60 : 15) : undefined,
    revenue: draw.chance(0.85) ? { label, amount: revenueUsd, year: 2025 } : undefined,
    technologies: drawTechnologies(draw),
    visits: draw.chance(0.9) ? employeeCount * draw.integer(20, 300) : undefined,
    locations,
    phone: draw.chance(0.75) ? phones(country, city.phonePrefixes) : undefined,
    about: draw.chance(0.95)
      ? `${identity.name} ${trade.purpose}, from its base in ${city.name}.`
      : undefined,
  };
  const knownCount = draw.chance(0.02) ? 0 : draw.integer(band.knownMin, band.knownMax);
  return { company, country, knownCount: Math.min(knownCount, employeeCount) };
}

function drawIdentity(
  draw: Draw,
  { taken, trade, country }: { taken: Set<string>; trade: Industry; country: Country },
): Pick<Company, 'id' | 'name' | 'networkSlug' | 'domains'> {
  for (;;) {
    const name = `${draw.pick(NAME_BEGINNINGS)}${draw.pick(NAME_ENDINGS)} ${draw.pick(trade.nameEndings)}`;
    const networkSlug = slug(name);
    if (taken.has(networkSlug)) continue;
    const primary = `${networkSlug}.${draw.pick(country.topLevelDomains)}`;
    const isGroup = draw.chance(0.14);
    const others = isGroup ? [`${networkSlug.replaceAll('-', '')}.com`, `${networkSlug}.group`] : [];
    const domains = [primary, ...draw.some(others, draw.integer(1, 2))] as const;
    for (const mark of [networkSlug, ...domains]) taken.add(mark);
    return { id: draw.hex(24), name, networkSlug, domains: [...domains] };
  }
}

function drawAddress(draw: Draw, city: City, isHeadquarters: boolean): Address {
  const street = `${draw.integer(1, 240)} ${draw.pick(STREETS)} Street`;
  const postcode = draw.fill(city.postcodeTemplate);
  const known = draw.chance(0.85) ? { street, postcode } : {};
  return { ...city.place, ...known, isHeadquarters };
}

/** Draws funding rounds up to a random stage, oldest first. A public company's last round is its IPO. */
function drawFunding(draw: Draw, isPublic: boolean): FundingRound[] {
  const stageCount = isPublic ? 4 : draw.integer(1, FUNDING_STAGES.length);
  const exit = isPublic ? 'IPO' : draw.chance(0.1) ? FUNDING_EXITS[1] : undefined;
  const stages = FUNDING_STAGES.slice(0, stageCount).reverse();
  let months = draw.integer(2, 40);
  const newestFirst = [...(exit ? [[exit, 2e8] as const] : []), ...stages].map(([type, typicalUsd]) => {
    const amount = Math.round((typicalUsd * draw.integer(50, 200)) / 100 / 1e4) * 1e4;
    const isDisclosed = type !== 'Acquired' || draw.chance(0.5);
    const date = isoDay(monthsBeforeAnchor(months));
    months += draw.integer(10, 24);
    return {
      type,
      date,
      ...(isDisclosed && { amount }),
      ...(isDisclosed && draw.chance(0.7) && { valuation: amount * draw.integer(4, 9) }),
      investors: [
        ...new Set(
          Array.from(
            { length: draw.integer(1, 5) },
            () => `${draw.pick(NAME_BEGINNINGS)}brook ${draw.pick(INVESTOR_ENDINGS)}`,
          ),
        ),
      ],
    };
  });
  return newestFirst.reverse();
}

function drawTechnologies(draw: Draw): Company['technologies'] {
  const known = Object.entries(TECHNOLOGIES).filter(() => draw.chance(0.75));
  return Object.fromEntries(known.map(([category, tools]) => [category, draw.pick(tools)]));
}

type EmailForm = (first: string, last: string) => string;

const EMAIL_FORMS: readonly { readonly weight: number; readonly write: EmailForm }[] = [
  { weight: 65, write: (first, last) => `${first}.${last}` },
  { weight: 20, write: (first, last) => `${first.slice(0, 1)}${last}` },
  { weight: 10, write: (first, last) => `${first}_${last}` },
  { weight: 5, write: (first) => first },
];

/** Generates the known people of one company. A few of them have the same name. */
function generatePeople(source: Source, { company, country, knownCount }: CompanyDraft): Person[] {
  const { draw, phones } = source;
  const { write } = draw.weighted(EMAIL_FORMS);
  const heldTitles = new Set<string>();
  const people: Person[] = [];
  for (let count = 0; count < knownCount; count += 1) {
    const double = people.length > 8 && draw.chance(0.02) ? draw.pick(people) : undefined;
    const isRemote = draw.chance(0.12);
    const home = drawHome(draw, { company, country, isRemote });
    const culture = names[draw.pick(home.country.cultures)] ?? { given: [''], family: [''] };
    const firstName = double?.firstName ?? draw.pick(culture.given);
    const lastName = double?.lastName ?? draw.pick(culture.family);
    const role = drawRole(draw, company, heldTitles);
    const emailAt = (employer: Company) => {
      const local = write(slug(firstName), slug(lastName));
      return draw.chance(0.86) ? newEmail(source.taken, local, employer.domains[0]) : undefined;
    };
    const job: Job = {
      company,
      ...role,
      seniority: draw.chance(0.96) ? role.seniority : undefined,
      startMs: drawStart(draw, company),
      isStartKnown: draw.chance(0.95),
      email: emailAt(company),
    };
    people.push({
      id: draw.hex(24),
      firstName,
      lastName,
      // For some people, the service knows only the state.
      place: draw.chance(0.03) ? home.city.surroundings : home.city.place,
      isRemote,
      networkSlug: draw.chance(0.96) ? `${slug(`${firstName} ${lastName}`)}-sbx${draw.hex(7)}` : undefined,
      mobile: draw.chance(0.6)
        ? phones(home.country, [...home.country.mobilePrefixes, ...home.city.phonePrefixes])
        : undefined,
      job,
      nextJob: draw.chance(0.1) ? drawNextJob(source, job, emailAt) : undefined,
      pastJobs: drawPastJobs(source, job),
    });
  }
  return people;
}

function newEmail(taken: Set<string>, local: string, domain: string): string {
  for (let number = 1; ; number += 1) {
    const email = `${local}${number === 1 ? '' : number}@${domain}`;
    if (taken.has(email)) continue;
    taken.add(email);
    return email;
  }
}

/** Draws a start up to eight years ago, but not before the company was founded. */
function drawStart(draw: Draw, { foundedYear = 0 }: Company): number {
  const ageMonths = monthsBetween(Date.UTC(foundedYear, 0, 1), WORLD_ANCHOR_MS);
  return monthsBeforeAnchor(draw.integer(1, Math.min(90, ageMonths - 1))) - draw.integer(0, 29) * DAY_MS;
}

function drawHome(
  draw: Draw,
  { company, country, isRemote }: { company: Company; country: Country; isRemote: boolean },
): { readonly country: Country; readonly city: City } {
  if (isRemote) {
    const home = draw.chance(0.85) ? country : draw.weighted(countries);
    return { country: home, city: draw.pick(home.cities) };
  }
  const office = draw.chance(0.7) ? company.locations[0] : draw.pick(company.locations);
  const home = countryByCode.get(office.countryCode) ?? country;
  const city = home.cities.find((one) => one.name === office.city) ?? draw.pick(home.cities);
  return { country: home, city };
}

function drawPastJobs({ draw, drafts }: Source, { department }: Job): PastJob[] {
  const count = draw.chance(0.4) ? 0 : draw.integer(1, 3);
  return Array.from({ length: count }, () => ({
    name: draw.pick(drafts).company.name,
    title: draw.pick(titlesOf(department, draw.pick(['Manager', 'Senior', 'Staff', 'Staff']))),
    durationMonths: draw.integer(6, 70),
  }));
}

/** Draws a promotion or a move to another company, within three and a half years after the anchor. */
function drawNextJob(
  { draw, drafts }: Source,
  job: Job,
  emailAt: (employer: Company) => string | undefined,
): Job {
  const startMs = WORLD_ANCHOR_MS + draw.integer(30, 1_280) * DAY_MS;
  // One level higher in the same department, but below the C-suite.
  const place = SENIORITIES.indexOf(job.seniority ?? 'Staff');
  const seniority = SENIORITIES[Math.max(1, place - 1)] ?? 'VP';
  const step = {
    seniority,
    title: draw.pick(titlesOf(job.department, seniority)),
    startMs,
    isStartKnown: true,
  };
  if (draw.chance(0.4)) return { ...job, ...step };
  const { company } = draw.pick(drafts);
  return { ...job, ...step, company, email: emailAt(company) };
}

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
const SENIORITY_WEIGHTS = { small: [18, 5, 8, 14, 20, 32, 3], large: [5, 5, 9, 18, 26, 33, 4] };

/** Draws a department, a seniority and a fitting title. Each C-level title occurs only once in a company. */
function drawRole(draw: Draw, company: Company, heldTitles: Set<string>) {
  const department = draw.weighted(DEPARTMENT_WEIGHTS).name;
  const weights = company.employeeCount <= 20 ? SENIORITY_WEIGHTS.small : SENIORITY_WEIGHTS.large;
  const level = draw.weighted(SENIORITIES.map((name, place) => ({ name, weight: weights[place] ?? 0 }))).name;
  const free = titlesOf(department, level).find((title) => !heldTitles.has(title));
  if (level === 'C-Suite' && free !== undefined) {
    heldTitles.add(free);
    return { department, seniority: level, title: free };
  }
  const seniority = level === 'C-Suite' ? 'VP' : level;
  return { department, seniority, title: draw.pick(titlesOf(department, seniority)) };
}
