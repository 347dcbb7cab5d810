import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { Question } from '#shared/questions';
import { isThorough } from '../../harness/repeated.ts';
import { brokenLaws, leftOpen } from './laws.ts';
import type { Fate } from './stage.ts';
import { REPLIES, type Reply } from './vendor.ts';
import { createWorld, GRACE_MS } from './world.ts';

const PER_DAY = 5;
/** Each call and each kill at night; in a quick run some of each kind, because seven has no factor in common with eight. */
const APART = isThorough ? 1 : 7;

function question(nth: number): Question {
  const by = { profileUrl: `https://people.example/in/number-${nth}` };
  return { operation: 'personProfile', by, options: [] };
}

interface Step {
  readonly skewMs: number;
  /** The call of the worker at which its clock steps. */
  readonly at: number;
  readonly reply: Reply;
  readonly fate?: Fate;
}

/** One worker's clock steps; then the day's budget is asked for by workers whose clocks are right. */
async function stepAt({ skewMs, at, reply, fate }: Step) {
  const world = createWorld({
    startMs: Date.UTC(2026, 10, 21, 12),
    choose: () => 0,
    replyTo: (nth) => (nth === 0 ? reply : 'found'),
    budgets: { perDay: PER_DAY },
  });
  const worker = world.process('worker', { skewMs, wrongFromCall: at, fate });
  const asked = world.ask(worker, { question: question(0), patienceMs: 90_000 });
  await world.stage.run(asked.isDone);
  await world.stage.pass(MINUTE_MS + GRACE_MS);
  world.sweep();
  await world.stage.pass(MINUTE_MS);
  world.resolve(question(0), true, { skewMs });
  for (let nth = 1; nth <= 2 * PER_DAY; nth += 1) {
    world.ask(world.process(`right ${nth}`), { question: question(nth) });
    await world.stage.pass(MINUTE_MS);
  }
  await world.stage.pass(HOUR_MS);
  world.sweep();
  await world.stage.pass(MINUTE_MS);
  const charged = world.vendor.received.reduce((sum, { credits }) => sum + credits, 0);
  return {
    calls: worker.actor.calls.length,
    problems: [
      ...(charged > PER_DAY ? [`${charged} credits are charged on a day with a budget of ${PER_DAY}`] : []),
      ...(await leftOpen(world, await world.log())),
      ...(await brokenLaws(world)),
    ].map(
      (problem) => `step of ${skewMs} ms at call ${at}, ${reply}, ${fate?.kind} at ${fate?.at}: ${problem}`,
    ),
  };
}

describe('a worker whose clock steps at any of its calls', () => {
  it.each([
    ['found', 2 * DAY_MS],
    ['found', -2 * DAY_MS],
    ['found', 10 * MINUTE_MS],
    ['lost-charged', 2 * DAY_MS],
    ['bad-request', 2 * DAY_MS],
    ['rate-limited', 2 * DAY_MS],
  ] as const)('keeps the laws and the budget of the day: %s, %i ms', async (reply, skewMs) => {
    const problems: string[] = [];
    for (let at = 1 + (REPLIES.indexOf(reply) % APART); ; at += APART) {
      const course = await stepAt({ skewMs, at, reply });
      problems.push(...course.problems);
      if (at > course.calls) break;
    }
    expect(problems).toEqual([]);
  });

  it('keeps them where it is killed soon after the step', async () => {
    const problems: string[] = [];
    for (let nth = 0; nth < 240; nth += APART) {
      const at = 1 + Math.floor(nth / 8);
      const effect = nth % 2 === 0 ? 'none' : 'done';
      const fate = { at: at + ([0, 1, 2, 4][(nth >> 1) % 4] ?? 0), effect, kind: 'death' } as const;
      problems.push(...(await stepAt({ skewMs: 2 * DAY_MS, at, reply: 'found', fate })).problems);
    }
    expect(problems).toEqual([]);
  });
});
