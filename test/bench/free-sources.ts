import { MINUTE_MS } from '#shared/kernel';
import type { Properties, RecordName } from '../builders/hubspot-portal.ts';
import { contact, somePerson } from '../builders/people.ts';
import { ruledWorld } from '../builders/ruled-world.ts';
import { liveUntilDrained, settleDown } from '../builders/steps.ts';
import type { World } from '../builders/world.ts';
import { percentile, type Row, table } from './table.ts';

const CONTACTS = 200;
/** One contact every 18 seconds, for an hour. */
const APART_MS = 18_000;
/** Two of five contacts. */
const isFilled = (index: number) => index % 5 < 2;
/** Time from the creation to the free source's values for the n-th contact: up to five minutes. */
const filledAfterMs = (index: number) => ((index * 37) % 300) * 1_000;
const SWEEP_MS = 5 * MINUTE_MS;
const WAITS_MINUTES = [undefined, 5, 10] as const;

/** A free source's values of a person. */
type Source = (person: ReturnType<typeof somePerson>) => Properties;

const SOURCES: readonly { readonly name: string; readonly of: Source }[] = [
  {
    name: 'every property of the policy',
    of: ({ job, place }) => ({ email: job.email ?? '', jobtitle: job.title, city: place.city ?? '' }),
  },
  { name: 'the email address', of: ({ job }) => ({ email: job.email ?? '' }) },
];

/**
 * Measures credits and time to the outcome if a free source fills 40% of the new contacts, by `waitMinutes`. In virtual
 * time.
 */
export async function measureFreeSources(): Promise<string> {
  const rows: Row[] = [];
  for (const source of SOURCES)
    for (const waitMinutes of WAITS_MINUTES) rows.push(await measure(source, waitMinutes));
  const times = ['median to outcome', '95th percentile'];
  return table(['free source fills', 'waitMinutes', 'credits', 'requests', ...times], rows);
}

async function measure(source: (typeof SOURCES)[number], waitMinutes: number | undefined): Promise<Row> {
  const world = await ruledWorld(
    { contacts: [{ name: 'leads', ...(waitMinutes && { waitMinutes }) }] },
    {
      policy: {
        budgets: { perDay: 100_000 },
        fields: {
          contacts: [
            { property: 'jobtitle', from: 'title', convert: 'text', write: 'fill-blank' },
            { property: 'city', from: 'city', convert: 'text', write: 'fill-blank' },
            { property: 'email', from: 'email', convert: 'email', write: 'fill-blank' },
          ],
        },
      },
      dataService: { rateLimitPerMinute: 60, creditBalance: 1_000_000 },
    },
  );
  const createdAtMs = await liveThrough(world, source.of);
  const waits = (await world.states()).map(
    ({ id, outcome }) => (outcome?.atMs ?? Number.NaN) - (createdAtMs.get(id) ?? 0),
  );
  const times = [0.5, 0.95].map((share) => `${(percentile(waits, share) / MINUTE_MS).toFixed(1)} min`);
  const requests = world.wire.questions().length;
  return [source.name, waitMinutes ?? 'none', world.charged(), requests, ...times];
}

/** Runs creations, the free source and the sweeps, in time order. @returns the creation time of each contact. */
async function liveThrough(world: World, of: Source): Promise<ReadonlyMap<string, number>> {
  const beganAtMs = world.clock.now();
  const records: RecordName[] = [];
  const createdAtMs = new Map<string, number>();
  const events: { readonly atMs: number; readonly act: () => Promise<unknown> }[] = [];
  for (let index = 0; index < CONTACTS; index += 1) {
    const atMs = beganAtMs + index * APART_MS;
    const create = async () => {
      const record = await contact(world, index);
      records[index] = record;
      createdAtMs.set(record.id, world.clock.now());
    };
    events.push({ atMs, act: create });
    const fill = async () => {
      const record = records[index];
      // Another app fills only blanks.
      if (!record) return;
      const held = await world.portal.properties(record);
      const free = Object.entries(of(somePerson(world, index))).filter(([property]) => !held[property]);
      if (free.length > 0)
        await world.portal.edit(record, Object.fromEntries(free), { source: 'AUTOMATION_PLATFORM' });
    };
    if (isFilled(index)) events.push({ atMs: atMs + filledAfterMs(index), act: fill });
  }
  const untilMs = beganAtMs + CONTACTS * APART_MS + 4 * SWEEP_MS;
  for (let atMs = beganAtMs + SWEEP_MS; atMs < untilMs; atMs += SWEEP_MS)
    events.push({ atMs, act: () => world.processes.reconcile() });
  for (const { atMs, act } of events.sort((a, b) => a.atMs - b.atMs)) {
    await world.clock.sleep(Math.max(0, atMs - world.clock.now()));
    await act();
    await settleDown(world);
  }
  await liveUntilDrained(world, { mostMs: 12 * SWEEP_MS, everyMs: SWEEP_MS });
  return createdAtMs;
}
