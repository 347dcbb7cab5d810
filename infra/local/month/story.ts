import { isAboutPerson, type ObjectType, type RecordName } from '#shared/crm';
import { DAY_MS, HOUR_MS, type Random, utcDay } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import type { Company, Person } from '../../sandbox/data-service/data-service-sandbox.ts';
import { WORKER_TIMEOUT_MS } from '../system.ts';
import type { Properties } from '../virtual/people-at-hubspot.ts';
import { backfillOfCustomers } from './backfill.ts';
import type { World } from './world.ts';

export interface TimedAction {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly run: () => Promise<unknown>;
}

export interface Size {
  /** Contacts on a working day, on average. */
  readonly leads: number;
  readonly customers: number;
  readonly imported: number;
  readonly fair: number;
}

export const FULL: Size = { leads: 10, customers: 150, imported: 300, fair: 60 };

/** Start of the installation, the pilot and the month itself, in days before the end. */
export const INSTALLED_DAYS_AGO = 206;
const PILOT = { from: 205, to: 184 };
export const MONTH = 30;

interface PlanInput {
  readonly world: World;
  readonly people: People;
  readonly random: Random;
  readonly size: Size;
  readonly endMs: number;
}

export const FIRST_PURCHASE = 1_500;

/** Lists all events of the pilot half a year ago and of the month itself. The pilot's answers are stale at the end. */
export function planMonth(told: PlanInput): TimedAction[] {
  return [...pilot(told), ...ordinaryDays(told), ...events(told), ...misfortunes(told)];
}

function pilot({ world, people, endMs }: PlanInput): TimedAction[] {
  const { at, workdays } = daysBefore(endMs);
  const bought = { credits: FIRST_PURCHASE, invoice: 'invoice 1001' };
  const invoice = { atMs: at(INSTALLED_DAYS_AGO, 8), run: () => bookPurchase(world, bought) };
  const days = workdays(PILOT.from, PILOT.to).flatMap((day, index) => [
    { atMs: at(day, 9), run: people.known },
    { atMs: at(day, 11), run: index % 4 === 0 ? people.mover : people.lead },
    { atMs: at(day, 15), run: index % 2 === 0 ? people.company : people.known },
  ]);
  return [invoice, ...days];
}

/** New leads, new companies and edits, between nine and five o'clock. */
function ordinaryDays({ people, random, size, endMs }: PlanInput): TimedAction[] {
  const { at, workdays } = daysBefore(endMs);
  return workdays(MONTH - 1, 0).flatMap((day, index) => {
    const some = (count: number, run: () => Promise<void>) =>
      Array.from({ length: count }, () => ({ atMs: at(day, 9 + 8 * random()), run }));
    const leads = Math.round(size.leads * (0.7 + 0.6 * random()));
    return [
      ...some(leads, people.lead),
      ...some(Math.ceil(leads / 5), people.company),
      ...some(1, index % 3 === 0 ? people.clear : people.retitle),
      ...some(index % 2, people.request),
      ...some(index % 5 === 2 ? 1 : 0, people.mixedUp),
    ];
  });
}

function events({ world, people, size, endMs }: PlanInput): TimedAction[] {
  const { at: onDay, atWork } = daysBefore(endMs);
  const bought = { credits: 3_000, invoice: 'invoice 1002' };
  return [
    backfillOfCustomers(world, atWork(27, 10)),
    { atMs: atWork(22, 8), run: () => buyCredits(world, bought) },
    { atMs: atWork(20, 9.5), run: () => people.imported(size.imported) },
    { atMs: atWork(9, 10), run: people.erase },
    { atMs: atWork(7, 16), run: () => people.fair(size.fair) },
    // This import is on the day before the end, even at a weekend, so that it still waits for credits at the end.
    { atMs: onDay(1, 15), run: () => people.imported(size.imported) },
  ];
}

const HANGS = { faults: [{ kind: 'hang', times: 1 }] } as const;
const REFUSES = { faults: [{ kind: 'status', status: 401 }] } as const;

/**
 * An outage of four hours, a key refused for three hours, and two requests without an answer. A person resolves one of
 * the two.
 */
function misfortunes({ world, people, endMs }: PlanInput): TimedAction[] {
  const { atWork } = daysBefore(endMs);
  return [
    { atMs: atWork(16, 11), run: async () => world.wire.cut(true) },
    { atMs: atWork(16, 15), run: async () => world.wire.cut(false) },
    { atMs: atWork(13, 10), run: () => world.changeService(REFUSES) },
    { atMs: atWork(13, 10.2), run: people.known },
    // Longer than the longest time between two sweeps, so that one of them sees it.
    { atMs: atWork(13, 13), run: () => world.changeService({ faults: [] }) },
    ...[12, 4].flatMap((day) => [
      { atMs: atWork(day, 12), run: () => world.changeService(HANGS) },
      { atMs: atWork(day, 12.01), run: people.known },
    ]),
    // On the day of the first request without an answer: the next one could be moved before it, from a weekend.
    { atMs: atWork(12, 15), run: () => resolveDoubts(world) },
  ];
}

const [SUNDAY, SATURDAY] = [0, 6];

/** Times in the month, counted in days before its end. Office hours are in UTC, like the days of the default policy. */
function daysBefore(endMs: number) {
  const todayMs = Math.floor(endMs / DAY_MS) * DAY_MS;
  const isWorkday = (days: number) => {
    const weekday = new Date(todayMs - days * DAY_MS).getUTCDay();
    return weekday !== SUNDAY && weekday !== SATURDAY;
  };
  /** Number of days back to the last working day that is at least `days` ago. */
  const workday = (days: number): number => (isWorkday(days) ? days : workday(days + 1));
  return {
    /** Epoch milliseconds. */
    at: (days: number, hour: number) => todayMs - days * DAY_MS + hour * HOUR_MS,
    /** Epoch milliseconds, on the last working day that is at least `days` ago. */
    atWork: (days: number, hour: number) => todayMs - workday(days) * DAY_MS + hour * HOUR_MS,
    /** Working days from `from` to `to` days ago, as numbers of days ago, oldest first. */
    workdays: (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, index) => from - index).filter(isWorkday),
  };
}

type Cast = ReturnType<typeof drawCharacters>;

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

type People = ReturnType<typeof createPeople>;

const IMPORT = { source: 'IMPORT' };
const TITLES = ['Head of Partnerships', 'Procurement Lead', 'Interim CFO', 'Member of the Board'];

/** Actions of people in HubSpot during the month. */
export function createPeople(world: World, { cast, random }: { cast: Cast; random: Random }) {
  const { portal } = world;
  const createdRecords: RecordName[] = [];
  const create = async (objectType: ObjectType, properties: Properties, by: Properties = {}) => {
    createdRecords.push(await portal.create(objectType, properties, [], by));
  };
  const several = async (count: number, make: () => Promise<void>) => {
    for (let index = 0; index < count; index += 1) await make();
  };
  /** Draws a random contact that has our values. */
  const enrichedOne = async (): Promise<RecordName> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const record = createdRecords[Math.floor(random() * createdRecords.length)];
      if (record === undefined || !isAboutPerson(record)) continue;
      const { enrichment_status: status, jobtitle } = await portal.properties(record);
      if (status === 'enriched' && jobtitle) return record;
    }
    throw new Error('No contact was enriched.');
  };
  return {
    lead: () => create('contacts', cast.lead()),
    company: () => create('companies', cast.company()),
    mover: () => create('contacts', cast.mover()),
    mixedUp: () => create('contacts', cast.mixedUp()),
    known: () => create('contacts', cast.byProfile()),
    /** Old customers, created before the installation. */
    customers: (count: number) =>
      several(count, async () => {
        await portal.create('contacts', { ...cast.byEmail(), lifecyclestage: 'customer' }, [], IMPORT);
      }),
    imported: (count: number) =>
      several(count, () => create('contacts', random() < 0.7 ? cast.byEmail() : cast.lead(), IMPORT)),
    /** Contacts from a trade fair. Each has a profile, so each lookup has the highest price. */
    fair: (count: number) => several(count, () => create('contacts', cast.byProfile())),
    retitle: async () => {
      const jobtitle = TITLES[Math.floor(random() * TITLES.length)] ?? '';
      await portal.edit(await enrichedOne(), { jobtitle });
    },
    clear: async () => portal.edit(await enrichedOne(), { city: '' }),
    request: async () => portal.edit(await enrichedOne(), { enrichment_requested: 'true' }),
    erase: async () => {
      const record = await enrichedOne();
      createdRecords.splice(createdRecords.indexOf(record), 1);
      await portal.erase(record);
    },
  };
}

/** Buys credits from the vendor. Books them with their invoice and an expiry in a year. */
async function buyCredits(world: World, { credits, invoice }: { credits: number; invoice: string }) {
  const { creditBalance } = world.dataService.state().settings;
  await world.changeService({ creditBalance: creditBalance + credits });
  await bookPurchase(world, { credits, invoice });
}

async function bookPurchase(
  { system, clock, newId }: World,
  { credits: amountCredits, invoice: reason }: { credits: number; invoice: string },
): Promise<void> {
  const expiresOn = utcDay(clock.now() + 365 * DAY_MS);
  await system.services.ledger.apply({
    kind: 'grant',
    id: `grant:${newId()}`,
    amountCredits,
    reason,
    expiresOn,
  });
}

/** Resolves all doubts as charged, because the vendor's list of calls contains them. */
async function resolveDoubts({ system: { services } }: World): Promise<void> {
  for (const { questionKey } of await services.openDoubts()) {
    const resolution = { questionKey, charged: true, note: 'on the list of calls of the vendor' };
    await resolveDoubt(services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
  }
}
