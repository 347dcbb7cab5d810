import { type RecordName, recordKey } from '#shared/crm';
import type { Send } from '#shared/http';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, seededRandom, UpstreamError } from '#shared/kernel';
import { cardOf } from '../../harness/at-the-screen.ts';
import { createCommands } from '../../harness/console.ts';
import { propertiesOf, typeOf, type Wanted } from '../../harness/forms.ts';
import { Severed } from '../../harness/fuse.ts';
import type { Properties } from '../../harness/hubspot-portal.ts';
import { openMemoryStore } from '../../harness/memory-items.ts';
import { tellOfOtherPortal } from '../../harness/other-portal.ts';
import { profileUrlOf, somePerson } from '../../harness/people.ts';
import { StoreError } from '../../harness/store-trouble.ts';
import { createWorld, type World, type WorldOptions } from '../../harness/world.ts';
import { noteUndone, performOnBackfill, settleBackfills } from './backfills.ts';
import { collectEvidence } from './collect-evidence.ts';
import { correct } from './corrections.ts';
import type { Course } from './course.ts';
import { createLateWrites, createVendorLine } from './course.ts';
import type { Erased, Evidence } from './oracle/evidence.ts';
import { judge } from './oracle/judge.ts';
import { type Act, type Plan, QUIET, type Round, type Trouble } from './plan.ts';
import { summary } from './summary.ts';

export interface Simulated {
  /** Summary of the run; equal for equal plans. */
  readonly lines: readonly string[];
  readonly problems: readonly string[];
  readonly evidence: Evidence;
}

/** Time after the last fault. The vendor's balance, budgets and breakers open again meanwhile. */
const CALM_MS = 3 * DAY_MS;

/**
 * Runs the whole system on virtual time: rounds of records and faults, then a long calm in which everything has to
 * recover.
 */
export async function simulate(plan: Plan): Promise<Simulated> {
  const store = openMemoryStore();
  const lateWrites = createLateWrites(seededRandom(plan.seed + 4));
  const line = createVendorLine(seededRandom(plan.seed + 6));
  const through = (send: Send) => line.through(lateWrites.through(send));
  const world = await open(plan, { store, through });
  const lists = {
    created: [],
    erased: [],
    undone: [],
    rejected: [],
    resolved: [],
    prices: [],
    quiet: [],
    closed: [],
    refusedForGood: [],
    backfills: [],
    accepted: [],
  };
  const outside = { store, lateWrites, line };
  const commands = createCommands(world);
  const { run } = commands;
  const course: Course = { plan, world, ...outside, commands, run, ...lists, askedForAllAtMs: 0 };
  for (const round of plan.rounds) await live(course, round);
  await befall(course, QUIET);
  await world.changeService({ creditBalance: 100_000 });
  for (const queue of Object.values(world.queues)) queue.requeueDead();
  for (let who = 0; who < plan.companies; who += 1)
    await create(course, { form: 'company', who }, { isImport: false });
  await calmDown(course);
  await resolveDoubts(course);
  await calmDown(course);
  while (await settleBackfills(course)) await calmDown(course);
  await refresh(course);
  await calmDown(course);
  await resolveDoubts(course);
  await askForEverything(course);
  await calmDown(course);
  const evidence = await collectEvidence(course);
  const problems = [...world.violations, ...judge(evidence)];
  return { lines: await summary(world), problems, evidence };
}

/** Days without events. The sweeps become rare when no record is queued. */
async function calmDown(course: Course): Promise<void> {
  const { clock, states } = course.world;
  const untilMs = clock.now() + CALM_MS;
  for (let isBusy = true; clock.now() < untilMs; ) {
    await passTime(course, { forMs: CALM_MS / 12, everyMs: isBusy ? 10 * MINUTE_MS : CALM_MS / 12 });
    isBusy = (await states()).some(({ waiting }) => waiting && PASSES_SOON.has(waiting.reason));
  }
}

const PASSES_SOON: ReadonlySet<string> = new Set(['queued', 'rate-limit', 'time-short']);

function open(plan: Plan, outside: Pick<WorldOptions, 'store' | 'through'>): Promise<World> {
  const {
    seed,
    perDay,
    purpose,
    timeZone,
    noMatchCost,
    wantPhone,
    rateAlgorithm,
    rateLimitPerMinute,
    latencyMs,
  } = plan;
  const { duplicateRate, outOfOrder } = plan;
  const counted = { rateAlgorithm, rateLimitPerMinute, latencyMs };
  // A policy refuses a purpose's limit above the total.
  const limit = purpose && { perDay: Math.min(purpose.perDay, perDay) };
  const budgets = { perDay, ...(purpose && { purposes: { [purpose.name]: limit } }) };
  const freshness = { contactsDays: plan.freshDays, companiesDays: plan.freshDays };
  return createWorld({
    ...outside,
    seed,
    pinned: false,
    ...(plan.agedMs !== undefined && { agedMs: plan.agedMs }),
    policy: {
      budgets,
      freshness,
      timeZone,
      noMatchCost,
      questions: { wantPhone },
      // Smaller than the backfill.
      backfill: { trial: 6, trialPerStratum: 2 },
      ...(plan.isShadowed && { fields: { contacts: { jobtitle: { shadow: true } } } }),
      ...(plan.barredStage !== undefined && { whom: { contacts: rulesAgainst(plan.barredStage) } }),
    },
    dataService: { noMatchCost, ...counted },
    hubSpot: { duplicateRate, outOfOrder, latencyMs: plan.portalLatencyMs },
  });
}

/** Two rules that admit contacts, so that one may replace the other. */
function rulesAgainst(stage: string) {
  const property = 'lifecyclestage';
  return [
    { name: 'left out', when: [{ property, is: stage }], enrich: false },
    { name: 'customers', when: [{ property, is: 'customer' }] },
    { name: 'others' },
  ];
}

/** Stage of a contact, for plans with rules; contacts get it in turns. */
function stageOf({ plan: { barredStage }, created }: Course, type: string): Properties {
  if (barredStage === undefined || type !== 'contacts') return {};
  return { lifecyclestage: [barredStage, 'customer', 'lead', 'lead'][created.length % 4] ?? '' };
}

/** Titles of one word, of a few letters. */
const RULE = {
  objectType: 'contact',
  propertyName: 'jobtitle',
  ruleType: 'MAX_LENGTH',
  ruleArguments: ['3'],
} as const;

/** Sets the world's faults from now on. */
async function befall({ world, commands, lateWrites, line }: Course, trouble: Trouble): Promise<void> {
  const { processes, storeTrouble } = world;
  await world.changeService({ faults: trouble.serviceFaults });
  await world.portal.change({ faults: trouble.portalFaults, valueRules: trouble.isRuled ? [RULE] : [] });
  lateWrites.set(world.clock, { lateMs: trouble.lateMs, times: trouble.lateMs > 0 ? 3 : 0 });
  line.set(world.clock, trouble.lineMs);
  storeTrouble.set({ faults: trouble.storeFaults, lagMs: trouble.indexLagMs });
  for (const strike of trouble.strikes) processes.planForNext(strike);
  commands.plan(trouble.commandStrikes ?? []);
  processes.skew(trouble.skewsMs);
  processes.planForSweeps({ strike: trouble.sweepStrike, skewMs: trouble.sweepSkewMs });
}

async function live(course: Course, round: Round): Promise<void> {
  const { world } = course;
  const { balance, lastsMs } = round;
  await world.portal.change({ faults: [] });
  if (!round.isSteady) for (const wanted of round.created) await create(course, wanted, round);
  if (balance !== undefined) await world.changeService({ creditBalance: balance });
  await befall(course, round);
  const fromMs = world.clock.now();
  const acts = round.acts.map((act) => perform(course, act));
  if (round.isSteady)
    acts.push(...round.created.map((wanted, place) => comeAlone(course, round, { wanted, place })));
  const everyMs = Math.min(lastsMs, Math.max(5 * MINUTE_MS, lastsMs / 50));
  if (round.isOff) await switchOff(course, lastsMs);
  else await passTime(course, { forMs: lastsMs, everyMs });
  await Promise.all(acts);
  const span = { fromMs, toMs: world.clock.now() };
  if (isQuiet(course, round)) course.quiet.push(span);
  if (round.portalFaults.some(({ status = 500 }) => [400, 403].includes(status)) && !isSkewed(round))
    course.closed.push(span);
}

/** Switches the installation off. Meanwhile the table deletes expired items. */
async function switchOff({ world, store }: Course, forMs: number): Promise<void> {
  await world.clock.sleep(forMs);
  await store.expire(world.clock.now());
}

/** True if the only faults are store failures that retries repair. */
function isQuiet({ plan }: Course, round: Trouble): boolean {
  const troubles = [...plan.rounds, plan.refresh];
  const isStruck = troubles.some(({ strikes, sweepStrike }) => strikes.length > 0 || sweepStrike);
  const isRepaired = round.storeFaults.every(({ times }) => times <= 3);
  return !isStruck && !isSkewed(round) && isRepaired && round.serviceFaults.length === 0;
}

function isSkewed({ sweepSkewMs, skewsMs }: Trouble): boolean {
  return sweepSkewMs !== 0 || skewsMs.some((ms) => ms !== 0);
}

/**
 * Creates records. HubSpot allows one contact for each address, so an existing one is not created again. Another portal
 * has a record of the same id, which gets every possible event.
 */
async function create(course: Course, wanted: Wanted, { isImport }: Pick<Round, 'isImport'>): Promise<void> {
  const { world, created } = course;
  try {
    const record = await world.portal.create(
      typeOf(wanted),
      { ...propertiesOf(world, wanted), ...stageOf(course, typeOf(wanted)) },
      [],
      isImport ? { source: 'IMPORT' } : {},
    );
    await tellOfOtherPortal(world, record);
    created.push(record);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Contact already exists')) throw error;
  }
}

/** Removes a part of the stored rate, as a person with the console could. */
function damageRate({ store }: Course): void {
  store.database.exec(
    "UPDATE items SET version = hex(randomblob(8)), body = json_remove(body, '$.slots') WHERE key LIKE '%#rate-limiter#'",
  );
}

/** The record's webhook starts its own worker, independent of the others. */
async function comeAlone(
  course: Course,
  round: Round,
  { wanted, place }: { readonly wanted: Wanted; readonly place: number },
): Promise<void> {
  await course.world.clock.sleep((place / round.created.length) * round.lastsMs);
  await create(course, wanted, round);
  await attend(course);
}

/** Delivers HubSpot's pending webhooks while other work runs. */
async function attend({ world }: Course): Promise<void> {
  await world.portal.sandbox.deliverWebhooks();
  await world.processes.work();
}

const EDITED = {
  contacts: ['jobtitle', 'city', 'company', 'state'],
  companies: ['city', 'description', 'phone', 'industry'],
};

/** Performs a person's action at its time; skips deleted records. */
async function perform(course: Course, act: Act): Promise<void> {
  const { world, created, erased } = course;
  const { kind, afterMs } = act;
  const { portal, clock } = world;
  await clock.sleep(afterMs);
  if (kind === 'resolve') return resolveDoubts(course);
  if (kind === 'accept') return acceptAll(course);
  if (await performOnBackfill(course, act)) return;
  if (kind === 'damage') return damageRate(course);
  const record = created[act.record % Math.max(1, created.length)];
  if (!record || erased.some(({ id }) => id === record.id)) return;
  const names = EDITED[record.objectType];
  const property = names[act.property % names.length] ?? '';
  if (kind === 'request') return portal.edit(record, { enrichment_requested: 'true' });
  if (kind === 'clear') return portal.edit(record, { [property]: '' });
  if (kind === 'edit' && course.plan.barredStage !== undefined && record.objectType === 'contacts')
    await portal.edit(record, {
      lifecyclestage: [course.plan.barredStage, 'customer'][act.property % 2] ?? '',
    });
  if (kind === 'edit')
    return portal.edit(record, { [property]: property === 'industry' ? 'BANKING' : `by hand ${afterMs}` });
  if (kind === 'undo') return undo(course, record);
  if (kind === 'wrong-match') return rejectMatch(course, record);
  if (kind === 'agree') return agree(course, record, act);
  if (kind === 'correct') return correct(world, record, act.property, act.record);
  if (record.objectType === 'companies') return;
  if (kind === 'identity')
    return portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, act.property % 6)) });
  if (kind === 'employer') return portal.edit(record, { company: `Firm ${afterMs}`, jobtitle: '' });
  if (kind === 'opt-out') return portal.edit(record, { hs_contact_enrichment_opt_out: 'true' });
  const gone: Erased = { id: record.id, atMs: clock.now(), properties: await portal.properties(record) };
  const place = erased.push(gone) - 1;
  await portal.erase(record);
  const working = attend(course);
  // Without crashes it takes moments.
  for (let looks = 0; looks < 100 && !erased[place]?.toldAtMs; looks += 1) {
    await clock.sleep(SECOND_MS / 10);
    if (world.queues.urgent.size() === 0) erased[place] = { ...gone, toldAtMs: clock.now() };
  }
  return working;
}

/** A person rejects the last match, and adds another identifier of the same person or company, so that it is found again. */
async function rejectMatch(course: Course, record: RecordName): Promise<void> {
  const { world, rejected } = course;
  const { clock, portal } = world;
  const card = cardOf(world, record);
  const run = (await card.show()).view.runs.at(-1);
  if (!run) return;
  const values = await portal.properties(record);
  const id = `wrong-match-${clock.now()}-${record.id}`;
  await card.post({ id, kind: 'wrong-match', run: { recordId: run.recordId, number: run.number } });
  await attend(course);
  if ((await card.show(id)).progress?.reply?.kind !== 'undone') return;
  await portal.edit(record, otherIdentifier(world, record, values));
  await clock.sleep(SECOND_MS);
  rejected.push({ objectType: record.objectType, id: record.id, atMs: clock.now(), values });
}

function otherIdentifier(world: World, { objectType }: RecordName, values: Properties): Properties {
  const urls = [values['hs_linkedin_url'], values['linkedin_company_page']];
  const isShown = (slug: string) => urls.some((url) => url?.endsWith(`/${slug}`));
  const { people, companies } = world.dataService.world;
  if (objectType === 'companies')
    return { domain: companies.find(({ networkSlug }) => isShown(networkSlug))?.domains[0] ?? '' };
  const person = people.find(({ networkSlug }) => networkSlug && isShown(networkSlug));
  return { hs_linkedin_url: values['hs_linkedin_url'] ?? '', email: person?.job.email ?? '' };
}

async function agree({ world, prices }: Course, record: RecordName, { property }: Act): Promise<void> {
  const credits = 1 + (property % 2);
  const atMs = world.clock.now();
  prices.push({ record: recordKey(record), atMs, credits });
  await cardOf(world, record).post({
    id: `card-request-${atMs}-${record.id}`,
    kind: 'enrich',
    maxCredits: credits,
  });
}

async function undo(course: Course, { objectType, id }: RecordName): Promise<void> {
  noteUndone(course, await course.run('undo', `${objectType}/${id}`, '--yes', '--json'));
}

/** A person who gets no confirmation accepts again. */
async function acceptAll({ run, world, accepted }: Course): Promise<void> {
  const fromMs = world.clock.now();
  const accept = () => run('review', 'accept', '--all', '--kind', 'proposal', '--yes', '--json');
  if ((await accept()) === undefined) await accept();
  accepted.push({ fromMs, toMs: world.clock.now() });
}

interface Span {
  readonly forMs: number;
  readonly everyMs: number;
}

async function passTime({ world, plan }: Course, { forMs, everyMs }: Span): Promise<void> {
  const untilMs = world.clock.now() + forMs;
  while (world.clock.now() < untilMs) {
    await workOff(world, plan);
    await world.clock.sleep(everyMs);
    await reconcile(world);
  }
  await workOff(world, plan);
}

async function workOff(world: World, { workers }: Plan): Promise<void> {
  for (;;) {
    const { requests } = await world.portal.sandbox.deliverWebhooks();
    const queues = Object.values(world.queues);
    const nowMs = world.clock.now();
    const isVisible = queues.some((queue) => (queue.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY) <= nowMs);
    if (requests === 0 && !isVisible) return;
    await world.processes.work({ workers, isAbreast: workers > 1 });
  }
}

/** Looks up stale records again, the companies among them together. */
async function refresh(course: Course): Promise<void> {
  await course.world.processes.refresh();
  await befall(course, course.plan.refresh);
  const fromMs = course.world.clock.now();
  await Promise.all([hurry(course), passTime(course, { forMs: 2 * HOUR_MS, everyMs: 5 * MINUTE_MS })]);
  if (isQuiet(course, course.plan.refresh)) course.quiet.push({ fromMs, toMs: course.world.clock.now() });
  await befall(course, QUIET);
}

/** People request companies during their refresh, and do not wait for its end. */
async function hurry({ plan, world, created }: Course): Promise<void> {
  const companies = created.filter(({ objectType }) => objectType === 'companies').slice(0, plan.hurried);
  for (const company of companies) {
    await world.clock.sleep(SECOND_MS);
    await world.portal.edit(company, { enrichment_requested: 'true' });
    await world.clock.sleep(SECOND_MS);
    await world.portal.sandbox.deliverWebhooks();
    await world.processes.work();
  }
}

/** The schedule repeats it after any fault. */
async function reconcile(world: World): Promise<void> {
  try {
    await world.processes.reconcile();
  } catch (error) {
    const isExpected =
      error instanceof UpstreamError || error instanceof StoreError || error instanceof Severed;
    if (!isExpected) throw error;
  }
}

/** Fresh answers are free; stale ones are looked up again. */
async function askForEverything(course: Course): Promise<void> {
  const { world, created, erased } = course;
  course.askedForAllAtMs = world.clock.now();
  const given = (await world.states()).filter(({ outcome, run }) => !run && outcome?.kind === 'failed');
  const refused = given.filter(({ outcome }) =>
    outcome?.reason.notes?.some(({ code }) => code === 'write-refused'),
  );
  course.refusedForGood.push(...refused.map(recordKey));
  for (const record of created)
    if (!erased.some(({ id }) => id === record.id))
      await world.portal.edit(record, { enrichment_requested: 'true' });
}

interface Doubt {
  readonly questionKey: string;
  readonly operation: string;
}

async function resolveDoubts({ run, plan, world, resolved }: Course): Promise<void> {
  const doubts: readonly Doubt[] = JSON.parse((await run('doubts', 'list', '--json')) ?? '[]');
  for (const [index, { questionKey, operation }] of doubts.entries()) {
    const charged = plan.believed[index % plan.believed.length] ?? true;
    const answer = charged ? '--charged' : '--not-charged';
    await run('doubts', 'resolve', questionKey, answer, '--note', 'believed', '--json');
    resolved.push({ atMs: world.clock.now(), operation, charged });
  }
}
