import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Question } from '#shared/questions';
import type { Store } from '#shared/store';
import { brokenLaws, leftOpen } from './laws.ts';
import type { Fate } from './stage.ts';
import type { Reply } from './vendor.ts';
import { createWorld, GRACE_MS, keyOf, type Running, type World } from './world.ts';

export interface Accident {
  readonly fate: Fate;
  /** What the vendor says to the first request; all later ones are answered. */
  readonly reply: Reply;
  readonly question: Question;
  readonly wider: Question;
  /** What a person says of the doubt, if there is one. */
  readonly resolve: 'not' | 'charged' | 'not-charged';
  /** When a frozen asker goes on. */
  readonly thaw:
    | 'never'
    | 'beside-the-second'
    | 'a-little-later'
    | 'as-a-doubt'
    | 'as-resolved'
    | 'after-the-next';
  /** Who else is there: nobody for a long time, others soon after, or somebody with a wider question all along. */
  readonly company: 'nobody' | 'others' | 'wider-asker';
  /** What befalls the sweeps but the last one, and the person who resolves. */
  readonly sweepFate?: Fate;
  readonly personFate?: Fate;
  /** Where it happens; in memory unless told. */
  readonly openStore?: () => Store;
}

export interface Aftermath {
  /** The call at which the asker was struck; `undefined` when it came to its end before. */
  readonly hitAt: string | undefined;
  /** Whether there was a doubt to resolve. */
  readonly hadDoubt: boolean;
  /** Whether a sweep or a person was struck as well. */
  readonly wasOtherHit: boolean;
  readonly problems: readonly string[];
}

/** Strikes one asker, lets others, the sweep and a person go on from there, and looks at what became of the laws. */
export async function haveAccident(accident: Accident): Promise<Aftermath> {
  const { fate, reply, question, wider, thaw } = accident;
  const world = createWorld({
    startMs: Date.UTC(2026, 10, 21, 12),
    choose: () => 0,
    replyTo: (nth) => (nth === 0 ? reply : 'found'),
    budgets: { perDay: 60 },
    store: accident.openStore?.(),
  });
  const victim = world.process('victim', { fate });
  // Long enough for the gate to open again after a 429.
  const struck = world.ask(victim, { question, patienceMs: 90 * SECOND_MS });
  if (accident.company === 'wider-asker') world.ask(world.process('beside'), { question: wider });
  await world.stage.run(() => struck.isDone() || victim.actor.isFrozen());
  const hitAt = victim.actor.hitAt();
  if (hitAt === undefined) return { hitAt, hadDoubt: false, wasOtherHit: false, problems: [] };
  const reached = (moment: Accident['thaw']) => {
    if (moment === thaw) victim.actor.thaw();
  };

  if (accident.company !== 'nobody') {
    world.ask(world.process('second'), { question });
    world.ask(world.process('wider'), { question: wider });
  }
  reached('beside-the-second');
  await world.stage.pass(12 * SECOND_MS);
  await ended(world, world.sweep({ fate: accident.sweepFate }));
  reached('a-little-later');
  await world.stage.pass(MINUTE_MS + GRACE_MS);
  await ended(world, world.sweep({ fate: accident.sweepFate }));
  reached('as-a-doubt');
  await world.stage.pass(0);
  const hadDoubt = await isDoubtful(world, question);
  if (accident.resolve !== 'not')
    await ended(
      world,
      world.resolve(question, accident.resolve === 'charged', { fate: accident.personFate }),
    );
  reached('as-resolved');
  await ended(world, world.ask(world.process('third'), { question }));
  reached('after-the-next');
  const others = world.started.filter(({ actor }) => actor.name === 'sweep' || actor.name === 'person');
  for (const { actor } of others) actor.thaw();
  await world.stage.pass(2 * HOUR_MS);
  await ended(world, world.sweep());
  // Once before anybody asks again, since a new asker finishes what is left of the one before it.
  const settled = await leftOpen(world, await world.log());
  const problems = [...settled, ...(await lastWord(world, accident)), ...(await brokenLaws(world))];
  return {
    hitAt,
    hadDoubt,
    wasOtherHit: others.some(({ actor }) => actor.hitAt() !== undefined),
    problems,
  };
}

/** Everybody has gone: the question is answered, or is a doubt that stands on the list. */
async function lastWord(world: World, { question, wider, thaw }: Accident): Promise<string[]> {
  const problems: string[] = [];
  for (const asked of [question, wider]) {
    const name = `last [${asked.options}]`;
    const last = await ended(world, world.ask(world.process(name), { question: asked }));
    const doubtful = await isDoubtful(world, question);
    const expected = doubtful ? ['doubt', 'found', 'no-match'] : ['found', 'no-match'];
    if (!expected.includes(last.result?.kind ?? '')) problems.push(`${name} ends in ${last.result?.kind}`);
  }
  const frozen = thaw === 'never' ? 1 : 0;
  const unfinished = world.started.filter(({ isDone }) => !isDone()).length;
  if (unfinished > frozen) problems.push(`${unfinished} are not done`);
  return problems;
}

async function isDoubtful(world: World, question: Question): Promise<boolean> {
  return (await world.item(keyOf(question)))?.attempt?.state === 'in-doubt';
}

/** Goes on when this one has ended, or is struck. */
async function ended<R>(world: World, running: Running<R>): Promise<Running<R>> {
  await world.stage.run(() => running.isDone() || running.actor.isFrozen());
  return running;
}
