import { DAY_MS, seededRandom } from '#shared/kernel';
import { exportSubject } from '#shared/privacy';
import { createFuse } from '../../harness/fuse.ts';
import { APP_ID, type RecordName, TOKEN } from '../../harness/hubspot-portal.ts';
import { contact } from '../../harness/people.ts';
import { recall, sweeps } from '../../harness/removals.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld, type World } from '../../harness/world.ts';
import { heldOfUs, judge, judgeExport, type SeenRecord, type SeenVersion, type Typed } from './oracle.ts';

const KEPT_DAYS = 90;
const STEP_DAYS = 10;
const PROPERTIES = ['jobtitle', 'city', 'company'];

export interface YearReport {
  readonly faults: readonly string[];
  /** So that a year in which nothing happened is no proof. */
  readonly happened: Readonly<Record<string, number>>;
}

/** A year of an account: people edit, merge and delete; answers are refreshed, expire and are recalled; sweeps die. */
export async function liveThroughYear({ seed, days }: { seed: number; days: number }): Promise<YearReport> {
  const world = await createWorld({
    seed,
    policy: {
      freshness: { contactsDays: 40, companiesDays: 40 },
      privacy: {
        notice: [{ name: 'all', days: 30 }],
        retention: { contacts: [{ name: 'all', days: KEPT_DAYS }] },
      },
    },
  });
  const random = seededRandom(seed);
  const account = createAccount(world, random);
  const { typed, happened, count } = account;
  const faults: string[] = [];
  for (let day = 0; day < days; day += STEP_DAYS) {
    for (let nth = 0; nth < 3; nth += 1) await account.befall();
    await settleDown(world);
    await world.clock.sleep(STEP_DAYS * DAY_MS);
    if (random() < 0.5) {
      const at = 1 + Math.floor(random() * 150);
      world.processes.planForSweeps({ strike: { at, effect: 'done', kind: 'death' } });
      await world.processes.reconcile().catch(() => count('dead sweeps'));
      world.processes.planForSweeps({});
    }
    await world.processes.refresh();
    await sweeps(world, 2);
    await world.clock.sleep(DAY_MS);
    await sweeps(world, 2);
    const seen = await seenOf(world, account);
    for (const each of seen) count('values seen', heldOfUs(each, typed).length);
    for (const fault of judge(seen, { nowMs: world.clock.now(), keptDays: KEPT_DAYS, typed }))
      faults.push(`day ${day}: ${fault}`);
    for (const fault of await judgeExports(world, seen, account)) faults.push(`day ${day}: ${fault}`);
  }
  const expired = (await world.states()).filter(({ removal }) => removal?.by === 'retention').length;
  count('expired', expired);
  count('recalled', await recallAll(world, random));
  await sweeps(world, 3);
  const seen = await seenOf(world, account);
  for (const each of seen)
    for (const { property } of heldOfUs(each, typed))
      faults.push(`${each.id}: ${property} is left after the recall`);
  for (const fault of judge(seen, { nowMs: world.clock.now(), keptDays: KEPT_DAYS, typed }))
    faults.push(fault);
  for (const fault of await judgeExports(world, seen, account)) faults.push(`after the recall: ${fault}`);
  return { faults, happened };
}

type Account = ReturnType<typeof createAccount>;

/** What `privacy subject` says of each record, against what HubSpot saw. */
async function judgeExports(
  world: World,
  seen: readonly SeenRecord[],
  { typed, count }: Account,
): Promise<string[]> {
  const faults: string[] = [];
  for (const record of seen) {
    const start = { record: `contacts#${record.id}` };
    const held = await exportSubject({ ...world.services, policy: world.policy }, start);
    const values = held?.records.find((each) => each.record === `contacts/${record.id}`)?.values ?? {};
    count('values exported', Object.keys(values).length);
    faults.push(...judgeExport(record, { values }, typed));
  }
  return faults;
}

/** What people do to the account. */
function createAccount(world: World, random: () => number) {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const living = new Map<string, RecordName>();
  const merged = new Set<string>();
  const typed: Typed[] = [];
  const happened: Record<string, number> = {};
  const count = (what: string, times = 1) => {
    happened[what] = (happened[what] ?? 0) + times;
  };
  let next = 0;
  const edit = async (record: RecordName) => {
    const property = pick(PROPERTIES) ?? 'city';
    const value = random() < 0.2 ? '' : `${property} of a person ${next}`;
    // Nobody can empty what is blank.
    if (value === '' && !(await world.portal.properties(record))[property]) return;
    await world.portal.edit(record, { [property]: value });
    const before = typed.findIndex((each) => each.id === record.id && each.property === property);
    if (before >= 0) typed.splice(before, 1);
    typed.push({ id: record.id, property, value });
    count('edits');
  };
  const befall = async () => {
    const record = pick([...living.values()]);
    const chance = random();
    if (!record || chance < 0.45) {
      next += 1;
      const made = await contact(world, next);
      living.set(made.id, made);
      count('created');
    } else if (chance < 0.75) await edit(record);
    else if (chance < 0.82) {
      await world.portal.edit(record, { hs_additional_emails: `other${next}@example-mail.com` });
      count('second addresses');
    } else if (chance < 0.9) {
      const other = pick([...living.values()].filter(({ id }) => id !== record.id));
      if (!other) return;
      const winner = await world.portal.merge(record, other);
      for (const { id } of [record, other]) living.delete(id);
      living.set(winner.id, winner);
      merged.add(winner.id);
      count('merges');
    } else if (chance < 0.95) {
      await world.portal.erase(record);
      living.delete(record.id);
      count('deletions');
    } else {
      await world.portal.edit(record, { enrichment_requested: 'true' });
      // Who asks for the record wants its blanks filled.
      const blanks = typed.filter(({ id, value }) => id === record.id && value === '');
      for (const blank of blanks) typed.splice(typed.indexOf(blank), 1);
      count('requests');
    }
  };
  return { living, merged, typed, happened, count, befall };
}

/** Begins a recall that is killed, and repeats it. @returns records. */
async function recallAll(world: World, random: () => number): Promise<number> {
  const toMs = world.clock.now();
  const fuse = createFuse();
  fuse.arm({ at: 1 + Math.floor(random() * 100), effect: 'done', kind: 'death' });
  const killed = await recall(world, { toMs, fuse }).catch(() => undefined);
  await world.clock.sleep(DAY_MS / 4);
  await sweeps(world, 2);
  const report = await recall(world, { toMs });
  if (report.open.length > 0) throw new Error(`The recall is not over: ${JSON.stringify(report.open)}`);
  return (killed?.records ?? 0) + report.records;
}

interface Shown {
  readonly living: ReadonlyMap<string, RecordName>;
  readonly merged: ReadonlySet<string>;
}

/** The account as HubSpot's own interface shows it, with all versions. */
async function seenOf(world: World, { living, merged }: Shown): Promise<SeenRecord[]> {
  const ids = [...living.keys()];
  if (ids.length === 0) return [];
  const response = await world.portal.sandbox.handle(
    new Request('https://hubspot.example/crm/objects/2026-09/contacts/batch/read', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        inputs: ids.slice(0, 50).map((id) => ({ id })),
        properties: [],
        propertiesWithHistory: [...PROPERTIES, ...NOTED],
      }),
    }),
  );
  const { results } = (await response.json()) as { readonly results: readonly Raw[] };
  return results.map(({ id, propertiesWithHistory = {} }) => {
    const versions = Object.entries(propertiesWithHistory).map(([name, list]) => [
      name,
      list.map(seenVersion),
    ]);
    return { id, isMerged: merged.has(id), versions: Object.fromEntries(versions) };
  });
}

const NOTED = [
  'firstname',
  'lastname',
  'hs_seniority',
  'email',
  'state',
  'country',
  'website',
  'enrichment_notice_due',
];

interface Raw {
  readonly id: string;
  readonly propertiesWithHistory?: Readonly<
    Record<string, readonly { value: string; timestamp: string; sourceType: string; sourceId?: string }[]>
  >;
}

function seenVersion(raw: NonNullable<Raw['propertiesWithHistory']>[string][number]): SeenVersion {
  const isUs = raw.sourceType === 'INTEGRATION' && raw.sourceId === String(APP_ID);
  const by = raw.sourceType.includes('MERGE') ? 'merge' : isUs ? 'us' : 'others';
  return { value: raw.value, atMs: Date.parse(raw.timestamp), by };
}
