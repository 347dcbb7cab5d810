import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#inside/kernel/clock.ts';
import type { Question } from '#inside/questions/question.ts';
import type { Accident, Aftermath } from './crash.ts';
import { brokenLaws, leftOpen, notHandedOut } from './laws.ts';
import { createWorld, GRACE_MS, keyOf, type Running, type World } from './world.ts';

export interface BatchAccident extends Pick<Accident, 'fate' | 'reply' | 'resolve' | 'thaw' | 'sweepFate'> {
  /** Who else is there: nobody for a long time, others soon after, or somebody with an overlapping batch all along. */
  readonly company: 'nobody' | 'others' | 'overlapping-batch';
  readonly openStores?: Accident['openStores'];
}

const MINE = ['a.example', 'b.example', 'unknown.example'];
const THEIRS = ['b.example', 'unknown.example', 'c.example'];
const ALL = [...new Set([...MINE, ...THEIRS])];

function profileOf(domain: string): Question {
  return { operation: 'companyProfile', parameters: { domain }, options: [] };
}

/** Strikes whoever asks a batch, lets others with overlapping batches and profiles, the sweep and a person go on from there. */
export async function haveBatchAccident(accident: BatchAccident): Promise<Aftermath> {
  const { fate, reply, thaw, company } = accident;
  const world = createWorld({
    startMs: Date.UTC(2026, 10, 21, 12),
    choose: () => 0,
    replyTo: (nth) => (nth === 0 ? reply : 'found'),
    budgets: { perDay: 100 },
    stores: accident.openStores?.(),
  });
  const victim = world.process('victim', { fate });
  const struck = world.search(victim, { domains: MINE, patienceMs: 90 * SECOND_MS });
  if (company === 'overlapping-batch') world.search(world.process('beside'), { domains: THEIRS });
  await world.stage.run(() => struck.isDone() || victim.actor.isFrozen());
  const hitAt = victim.actor.hitAt();
  if (hitAt === undefined) return { hitAt, hadDoubt: false, wasOtherHit: false, problems: [] };
  const reached = (moment: BatchAccident['thaw']) => {
    if (moment === thaw) victim.actor.thaw();
  };
  if (company !== 'nobody') {
    world.search(world.process('second'), { domains: THEIRS });
    world.ask(world.process('live'), { question: profileOf('b.example') });
  }
  reached('beside-the-second');
  await world.stage.pass(12 * SECOND_MS);
  await ended(world, world.sweep({ fate: accident.sweepFate }));
  reached('a-little-later');
  await world.stage.pass(MINUTE_MS + GRACE_MS);
  await ended(world, world.sweep({ fate: accident.sweepFate }));
  // Before anybody asks again, since a new asker hands out what is left of the one before it.
  const notGiven = accident.sweepFate ? [] : await notHandedOut(world);
  reached('as-a-doubt');
  await world.stage.pass(0);
  const hadDoubt = (await doubts(world)).length > 0;
  if (accident.resolve !== 'not')
    for (const key of await doubts(world))
      await ended(world, world.resolve(key, accident.resolve === 'charged'));
  reached('as-resolved');
  await ended(world, world.search(world.process('third'), { domains: ALL }));
  reached('after-the-next');
  const sweeps = world.started.filter(({ actor }) => actor.name === 'sweep');
  for (const { actor } of sweeps) actor.thaw();
  await world.stage.pass(2 * HOUR_MS);
  await ended(world, world.sweep());
  const settled = await leftOpen(world, await world.log());
  const problems = [...notGiven, ...settled, ...(await lastWord(world)), ...(await brokenLaws(world))];
  const wasOtherHit = sweeps.some(({ actor }) => actor.hitAt() !== undefined);
  return { hitAt, hadDoubt, wasOtherHit, problems };
}

/** Everybody has gone: each company is answered, waits for a doubt's end, or has its profile; a person never waits for a batch. */
async function lastWord(world: World): Promise<string[]> {
  const search = await ended(world, world.search(world.process('last batch'), { domains: ALL }));
  const hasDoubts = (await doubts(world)).length > 0;
  const problems: string[] = [];
  for (const domain of ALL) {
    const kind = search.result?.get(domain)?.kind;
    if (kind === 'waiting' && !hasDoubts) problems.push(`${domain} waits for nothing`);
    const profile = await ended(
      world,
      world.ask(world.process(`last ${domain}`), { question: profileOf(domain) }),
    );
    const isDoubtful = (await doubts(world)).includes(keyOf(profileOf(domain)));
    const expected = isDoubtful ? ['doubt', 'no-match', 'found'] : ['found', 'no-match'];
    const got = profile.result?.kind ?? 'nothing';
    if (!expected.includes(got)) problems.push(`the profile of ${domain} ends in ${got}`);
  }
  return problems;
}

async function doubts(world: World): Promise<string[]> {
  const open = (await world.log()).at(-1)?.open ?? [];
  return open.filter(({ state }) => state === 'doubtful').map(({ questionKey }) => questionKey);
}

async function ended<R>(world: World, running: Running<R>): Promise<Running<R>> {
  await world.stage.run(() => running.isDone() || running.actor.isFrozen());
  return running;
}
