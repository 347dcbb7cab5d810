import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Question } from '#shared/questions';
import { brokenLaws, leftOpen } from './laws.ts';
import type { Fate } from './stage.ts';
import type { Reply } from './vendor.ts';
import { createWorld, GRACE_MS, keyOf, type Running, type World } from './world.ts';

const by = { profileUrl: 'https://people.example/in/sample' };
const QUESTION: Question = { operation: 'personProfile', by, options: ['email'] };
const WIDER: Question = { ...QUESTION, options: ['email', 'phone'] };
/** Delivers less than its worst case. */
export const SEARCH: Question = {
  operation: 'searchPeople',
  by: { search: JSON.stringify({ title: 'engineer', per_page: 10 }) },
  options: [],
};

type Moment = 'beside-the-second' | 'a-little-later' | 'as-a-doubt' | 'as-resolved' | 'after-the-next';

interface Accident {
  /** What befalls the asker. */
  readonly fate: Fate;
  /** What the vendor says to the first request; all later ones are answered. */
  readonly reply?: Reply;
  readonly question?: Question;
  readonly wider?: Question;
  /** Who else is there: nobody for a long time, others soon after, or somebody with a wider question all along. */
  readonly company?: 'nobody' | 'others' | 'wider-asker';
  /** What a person says of the doubt, if there is one. */
  readonly resolve?: 'charged' | 'not-charged';
  /** When a frozen asker goes on; never unless told. */
  readonly thaw?: Moment | undefined;
  /** What befalls the sweeps but the last one, and the person who resolves. */
  readonly sweepFate?: Fate;
  readonly personFate?: Fate;
}

interface Aftermath {
  /** Whether the asker made so many calls. */
  readonly isStruck: boolean;
  /** Whether there was a doubt to resolve. */
  readonly hadDoubt: boolean;
  /** Whether a sweep or a person made so many calls. */
  readonly isOtherStruck: boolean;
  readonly problems: readonly string[];
}

const resolved = (thaw?: Moment) => [
  { resolve: 'charged', thaw } as const,
  { resolve: 'not-charged', thaw } as const,
];
/** What follows: first without, then with a doubt that somebody resolves, if there is one to resolve. */
const AFTERMATHS: readonly (readonly Pick<Accident, 'resolve' | 'thaw'>[])[] = [[{}, ...resolved()]];
const AFTER_SLEEP: typeof AFTERMATHS = [
  ...(['beside-the-second', 'a-little-later', 'as-a-doubt'] as const).map((thaw) => [{ thaw }]),
  resolved('as-resolved'),
  resolved('after-the-next'),
];

/** Strikes one asker, with every aftermath. @returns whether it made so many calls, and what is wrong */
export async function strikeAsker(accident: Accident): Promise<Pick<Aftermath, 'isStruck' | 'problems'>> {
  const problems: string[] = [];
  for (const alternatives of accident.fate.kind === 'sleep' ? AFTER_SLEEP : AFTERMATHS)
    for (const after of alternatives) {
      const { isStruck, hadDoubt, problems: found } = await haveAccident({ ...accident, ...after });
      if (!isStruck) return { isStruck, problems };
      problems.push(...found.map((problem) => `${JSON.stringify(after)}: ${problem}`));
      if (!hadDoubt) break;
    }
  return { isStruck: true, problems };
}

/** Strikes one asker, lets others, the sweep and a person go on from there, and looks at what became of the laws. */
export async function haveAccident(accident: Accident): Promise<Aftermath> {
  const { fate, reply = 'found', question = QUESTION, wider = WIDER, company = 'nobody', thaw } = accident;
  const { resolve, sweepFate, personFate } = accident;
  const world = createWorld({
    startMs: Date.UTC(2026, 10, 21, 12),
    choose: () => 0,
    replyTo: (nth) => (nth === 0 ? reply : 'found'),
    budgets: { perDay: 60 },
  });
  const victim = world.process('victim', { fate });
  // Long enough for the gate to open again after a 429.
  const struck = world.ask(victim, { question, patienceMs: 90 * SECOND_MS });
  if (company === 'wider-asker') world.ask(world.process('beside'), { question: wider });
  await world.stage.run(() => struck.isDone() || victim.actor.isFrozen());
  const isStruck = victim.actor.calls.length >= fate.at;
  if (victim.actor.hitAt() === undefined)
    return { isStruck, hadDoubt: false, isOtherStruck: false, problems: [] };
  const reached = (moment: Moment) => {
    if (moment === thaw) victim.actor.thaw();
  };

  if (company !== 'nobody') {
    world.ask(world.process('second'), { question });
    world.ask(world.process('wider'), { question: wider });
  }
  reached('beside-the-second');
  await world.stage.pass(12 * SECOND_MS);
  await ended(world, world.sweep({ fate: sweepFate }));
  reached('a-little-later');
  await world.stage.pass(MINUTE_MS + GRACE_MS);
  await ended(world, world.sweep({ fate: sweepFate }));
  reached('as-a-doubt');
  await world.stage.pass(0);
  const hadDoubt = await isDoubtful(world, question);
  if (resolve) await ended(world, world.resolve(question, resolve === 'charged', { fate: personFate }));
  reached('as-resolved');
  await ended(world, world.ask(world.process('third'), { question }));
  reached('after-the-next');
  const others = world.started.filter(({ actor }) => actor.name === 'sweep' || actor.name === 'person');
  for (const { actor } of others) actor.thaw();
  await world.stage.pass(2 * HOUR_MS);
  await ended(world, world.sweep());
  // Once before anybody asks again, since a new asker finishes what is left of the one before it.
  const settled = await leftOpen(world, await world.log());
  const last = await lastWord(world, { question, wider, mostUnfinished: thaw ? 0 : 1 });
  const problems = [...settled, ...last, ...(await brokenLaws(world))];
  const otherAt = (sweepFate ?? personFate)?.at ?? 0;
  return {
    isStruck,
    hadDoubt,
    isOtherStruck: others.some(({ actor }) => actor.calls.length >= otherAt),
    problems,
  };
}

interface LastWord {
  readonly question: Question;
  readonly wider: Question;
  readonly mostUnfinished: number;
}

/** Everybody has gone: the question is answered, or is a doubt that stands on the list. */
async function lastWord(world: World, { question, wider, mostUnfinished }: LastWord): Promise<string[]> {
  const problems: string[] = [];
  for (const asked of [question, wider]) {
    const name = `last [${asked.options}]`;
    const last = await ended(world, world.ask(world.process(name), { question: asked }));
    const doubtful = await isDoubtful(world, question);
    const expected = doubtful ? ['doubt', 'found', 'no-match'] : ['found', 'no-match'];
    if (!expected.includes(last.result?.kind ?? '')) problems.push(`${name} ends in ${last.result?.kind}`);
  }
  const unfinished = world.started.filter(({ isDone }) => !isDone()).length;
  if (unfinished > mostUnfinished) problems.push(`${unfinished} are not done`);
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
