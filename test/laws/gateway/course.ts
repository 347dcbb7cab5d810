import fc from 'fast-check';
import { PURPOSES, type Purpose } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { Question } from '#shared/questions';
import type { QuestionOption } from '#shared/vendor';
import { brokenLaws } from './laws.ts';
import type { Circumstances, Fate } from './stage.ts';
import { REPLIES, type Reply } from './vendor.ts';
import { createWorld, GRACE_MS, type World, type WorldOptions } from './world.ts';

const WIDTHS: readonly (readonly QuestionOption[])[] = [[], ['email'], ['phone'], ['email', 'phone']];
const PROCESSES = 4;

type Step =
  | {
      readonly kind: 'ask';
      readonly process: number;
      readonly about: number;
      readonly width: number;
      readonly purpose: Purpose;
      readonly patienceMs: number;
    }
  | ({ readonly kind: 'sweep' } & Circumstances)
  | {
      readonly kind: 'resolve';
      readonly about: number;
      readonly charged: boolean;
      readonly circumstances: Circumstances;
    }
  | { readonly kind: 'thaw'; readonly process: number }
  | { readonly kind: 'pass'; readonly ms: number };

/** One course that things may take: who does what, who is struck where, and whose turn it is each time. */
export interface Course {
  readonly steps: readonly Step[];
  /** What befalls each process, and how far its clock is off. */
  readonly processes: readonly Circumstances[];
  readonly replies: readonly Reply[];
  /** Taken round and round. */
  readonly choices: readonly number[];
  readonly perDay: number;
  readonly livePerDay: number;
  /** Milliseconds before midnight. */
  readonly untilMidnightMs: number;
}

const fate = fc.option(
  fc.record<Fate>({
    at: fc.integer({ min: 1, max: 20 }),
    effect: fc.constantFrom('none', 'done'),
    kind: fc.constantFrom('death', 'sleep', 'error'),
  }),
  { nil: undefined, freq: 1 },
);
/** Seconds, minutes, days; ahead and behind. */
const skewMs = fc.constantFrom(...[0, 0, 2_000, 4 * MINUTE_MS, 2 * DAY_MS].flatMap((ms) => [ms, -ms]));
/** Wrong from the start, or from one of its calls on. */
const wrongFromCall = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 }));
/** Two people, and two companies. */
const about = fc.constantFrom(0, 0, 0, 1, 2, 3);
const DOMAINS = ['a.example', 'b.example'];
const process = fc.nat(PROCESSES - 1);

const ask = fc.record({
  kind: fc.constant('ask' as const),
  process,
  about,
  width: fc.nat(WIDTHS.length - 1),
  purpose: fc.constantFrom(...PURPOSES),
  patienceMs: fc.constantFrom(0, 3_000, 20_000),
});
const pass = fc.record({
  kind: fc.constant('pass' as const),
  ms: fc.constantFrom(400, 6_000, 14_000, 2 * MINUTE_MS, 12 * HOUR_MS),
});
const sweep = fc.record({ kind: fc.constant('sweep' as const), fate, skewMs, wrongFromCall });
const circumstances = fc.record<Circumstances>({ fate, skewMs, wrongFromCall });
const resolve = fc.record({
  kind: fc.constant('resolve' as const),
  about,
  charged: fc.boolean(),
  circumstances,
});
const thaw = fc.record({ kind: fc.constant('thaw' as const), process });

/** Somebody asks, something may happen, and time passes. */
const round: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(ask, { maxLength: 3 }),
    fc.array(fc.oneof(sweep, resolve, thaw), { maxLength: 2 }),
    fc.array(pass, { maxLength: 1 }),
  )
  .map(([asked, happened, passed]) => [...asked, ...happened, ...passed]);

export const courses: fc.Arbitrary<Course> = fc.record({
  steps: fc.array(round, { minLength: 2, maxLength: 8 }).map((rounds) => rounds.flat()),
  processes: fc.array(circumstances, {
    minLength: PROCESSES,
    maxLength: PROCESSES,
  }),
  replies: fc.array(fc.constantFrom('found', ...REPLIES), { maxLength: 6 }),
  choices: fc.array(fc.nat(5), { minLength: 1, maxLength: 60 }),
  perDay: fc.integer({ min: 3, max: 40 }),
  livePerDay: fc.integer({ min: 3, max: 40 }),
  untilMidnightMs: fc.constantFrom(500, 10_000, 12 * HOUR_MS),
});

/** Lets things take their course to the very end. @returns every promise that was broken on the way. */
export async function follow(course: Course, place: Pick<WorldOptions, 'store'> = {}): Promise<string[]> {
  const { steps, replies, choices, perDay, livePerDay, untilMidnightMs } = course;
  let turn = 0;
  const world = createWorld({
    startMs: Date.UTC(2026, 10, 30, 23) - untilMidnightMs,
    choose: () => choices[turn++ % choices.length] ?? 0,
    replyTo: (nth) => replies[nth] ?? 'found',
    budgets: { perDay, perMonth: 2 * perDay, purposes: { live: { perDay: livePerDay } } },
    ...place,
  });
  const processes = course.processes.map((each, index) => world.process(`process ${index}`, each));
  for (const each of steps) await take(world, { step: each, processes });
  for (const { actor } of world.started) actor.thaw();
  for (let round = 0; round < 2; round += 1) {
    await world.stage.pass(2 * MINUTE_MS + GRACE_MS);
    world.sweep();
  }
  await world.stage.pass(MINUTE_MS);
  return brokenLaws(world);
}

type Processes = readonly ReturnType<World['process']>[];

async function take(world: World, { step, processes }: { step: Step; processes: Processes }): Promise<void> {
  switch (step.kind) {
    case 'ask': {
      const { about, width, purpose, patienceMs } = step;
      const by = processes[step.process];
      if (by) world.ask(by, { question: questionOf(about, width), purpose, patienceMs });
      return;
    }
    case 'sweep':
      world.sweep(step);
      return;
    case 'resolve':
      world.resolve(questionOf(step.about), step.charged, step.circumstances);
      return;
    case 'thaw':
      processes[step.process]?.actor.thaw();
      return;
    default:
      await world.stage.pass(step.ms);
  }
}

function questionOf(about: number, width = 0): Question {
  const domain = DOMAINS[about - 2];
  if (domain) return { operation: 'companyProfile', by: { domain }, options: [] };
  const by = { profileUrl: `https://people.example/in/number-${about}` };
  return { operation: 'personProfile', by, options: WIDTHS[width] ?? [] };
}
