import { spentOf } from '#inside/enrichment/backfill/transitions.ts';
import type { ObjectType } from '#shared/crm';
import { type Backfill, backfillKind } from '#shared/enrichment';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Random, seededRandom } from '#shared/kernel';
import { openConsole } from '../harness/console.ts';
import type { Properties } from '../harness/hubspot-portal.ts';
import { profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

/** Quote and charge of a generated portal. */
export interface Charged {
  readonly charged: number;
  readonly spent: number;
  readonly state: Backfill['state'];
  /** The quote's highest cost. */
  readonly atMost: number;
}

/** Highest share of records that share their person or company with another record. */
const MOST_SHARED = 0.4;

/**
 * Quotes and runs the backfill of a portal drawn from a seed. Up to two in five records share their person or company,
 * under the same or another identifier.
 */
export async function chargedIn(seed: number): Promise<Charged> {
  const random = seededRandom(seed);
  const objectType = seed % 2 ? 'contacts' : 'companies';
  const options = optionsOf(random);
  const world = await createWorld({ ...options, seed, agedMs: DAY_MS });
  const records = 20 + Math.floor(random() * 50);
  const shared = random() * MOST_SHARED;
  for (const properties of recordsOf(world, { objectType, records, shared, random }))
    await world.portal.create(objectType, properties);
  await world.clock.sleep(DAY_MS + HOUR_MS);
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: 10 * MINUTE_MS });
  const run = openConsole(world);
  const { id } = JSON.parse((await run('backfill', 'quote', '--objects', objectType, '--json')) ?? '{}');
  await run('backfill', 'run', id, '--yes', '--json');
  const backfill = await ended(world, id, run);
  const atMost = backfill.quote?.atMost ?? 0;
  return { charged: world.charged(), spent: spentOf(backfill), state: backfill.state, atMost };
}

function optionsOf(random: Random): Pick<WorldOptions, 'policy' | 'dataService'> {
  const noMatchCost = pick(random, ['full', 'base', 'none'] as const) ?? 'full';
  const questions = {
    wantEmail: random() < 0.5,
    fallThrough: random() < 0.3,
    companies: { funding: random() < 0.5 },
  };
  const backfill = { trial: 12, trialPerStratum: 4 };
  return {
    policy: { budgets: { perDay: 10_000 }, noMatchCost, questions, backfill },
    dataService: { noMatchCost, rateLimitPerMinute: 10_000 },
  };
}

interface Wish {
  readonly objectType: ObjectType;
  readonly records: number;
  readonly shared: number;
  readonly random: Random;
}

type FormsOf = (world: World, index: number, isUnknown: boolean) => readonly Properties[];

function recordsOf(world: World, { objectType, records, shared, random }: Wish): Properties[] {
  const formsOf = objectType === 'contacts' ? contactForms(pick(random, WAYS) ?? 'email') : companyForms;
  const known: (readonly Properties[])[] = [];
  const first: Properties[] = [];
  const seen = new Set<string>();
  const unknown = 0.1 + random() * 0.3;
  // Half of the portals use only one form.
  const otherForm = random() < 0.5 ? 0 : random();
  for (let index = 0; first.length < records; index += 1) {
    const again = random() < shared ? pick(random, known) : undefined;
    const forms = again ?? formsOf(world, index, random() < unknown);
    if (!again) known.push(forms);
    const form = (random() < otherForm ? pick(random, forms) : forms[0]) ?? {};
    const address = form['email'];
    // HubSpot allows each address once.
    if (address && seen.has(address)) continue;
    if (address) seen.add(address);
    first.push(form);
  }
  return first;
}

const WAYS = ['email', 'profile', 'name'] as const;
type Way = (typeof WAYS)[number];

/** Forms of a person in a portal, the portal's usual one first. */
function contactForms(way: Way): FormsOf {
  return (world, index, isUnknown) => {
    const { job, networkSlug, ...person } = somePerson(world, index);
    const website = job.company.domains[0] ?? '';
    const slug = isUnknown ? `zoe-quill-${index}` : networkSlug;
    const forms: Readonly<Record<Way, Properties>> = {
      email: { email: isUnknown ? `zoe.quill${index}@${website}` : (job.email ?? '') },
      profile: { hs_linkedin_url: profileUrlOf({ networkSlug: slug }) },
      name: {
        firstname: person.firstName,
        lastname: isUnknown ? `Quill${index}` : person.lastName,
        website,
      },
    };
    return [forms[way], ...WAYS.filter((other) => other !== way).map((other) => forms[other])];
  };
}

/** A company under any of its domains. */
const companyForms: FormsOf = (world, index, isUnknown) => {
  if (isUnknown) return [{ domain: `zoe-quill-${index}.com` }];
  return someCompany(world, index).domains.map((domain) => ({ domain }));
};

function pick<T>(random: Random, all: readonly T[]): T | undefined {
  return all[Math.floor(random() * all.length)];
}

const MOST_MINUTES = 60;

async function ended(world: World, id: string, run: ReturnType<typeof openConsole>): Promise<Backfill> {
  for (let minute = 0; ; minute += 1) {
    await liveOn(world, { forMs: MINUTE_MS, everyMs: MINUTE_MS });
    const backfill = (await world.items(backfillKind).read(backfillKind.key(id)))?.value;
    if (!backfill) throw new Error('The backfill is gone.');
    if (backfill.state === 'done' || minute > MOST_MINUTES) return backfill;
    // The results are worse than was agreed beforehand, so a person has to agree.
    if (backfill.state === 'paused') await run('backfill', 'resume', id, '--json');
    if (backfill.state === 'approval') await run('backfill', 'run', id, '--yes', '--json');
  }
}
