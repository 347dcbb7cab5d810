import { describe, expect, it } from 'vitest';
import { LANES } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { WAITING_PLACES } from '#shared/records';
import { repeated } from '../harness/repeated.ts';
import type { Fate } from './gateway/stage.ts';
import { BOUND, openSweepWorld, type SweepCourse, type SweepWorld } from './sweep-world.ts';

const COURSES = repeated(30);
/** A lost message is sent again after an hour, which may be lost again. */
const LONGEST_MINUTES = 300;

/** Something befalls two sweeps of three, at any of their calls. */
function drawFate(random: () => number): Fate | undefined {
  const kind = (['killed', 'frozen', 'failed', 'frozen', undefined, undefined] as const)[
    Math.floor(random() * 6)
  ];
  if (!kind) return undefined;
  const when = random() < 0.5 ? 'before' : 'after';
  return { kind, when, at: 1 + Math.floor(random() ** 2 * 250) };
}

/** Ten minutes of trouble: up to four sweeps a minute, duplicates, refusals; frozen sweeps go on minutes later. */
async function troubledMinutes(world: SweepWorld): Promise<void> {
  const { stage, random, queues, sweep, work } = world;
  const frozen: ReturnType<typeof sweep>['actor'][] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    for (let nth = 0; nth < 1 + Math.floor(random() * 4); nth += 1) {
      frozen.push(sweep(drawFate(random), random() < 0.3).actor);
      if (random() < 0.5) await stage.pass(Math.floor(random() * 10 * SECOND_MS));
    }
    if (random() < 0.2) queues.bulk.refuse(1, Math.floor(random() * 3));
    await stage.pass(Math.floor(random() * MINUTE_MS));
    for (const actor of frozen) if (random() < 0.3) actor.thaw();
    if (random() < 0.3) for (const lane of LANES) queues[lane].duplicateAll();
    await work();
    await stage.pass(30 * SECOND_MS);
  }
  for (const actor of frozen) actor.thaw();
}

/** Ordinary minutes until no record waits. */
async function calmMinutes({ stage, records, sweep, work }: SweepWorld): Promise<number> {
  for (let minute = 0; minute < LONGEST_MINUTES; minute += 1) {
    const waiting = await Promise.all(WAITING_PLACES.map((partition) => records.count(partition)));
    if (waiting.every((count) => count === 0)) return minute;
    const { ended } = sweep(undefined, true);
    await stage.pass(MINUTE_MS);
    await ended;
    await work();
  }
  return LONGEST_MINUTES;
}

/** @returns the minutes in which the sweeps admitted more than the bound, and how long it took until no record waited. */
async function runCourse(course: SweepCourse) {
  const world = await openSweepWorld(course);
  await troubledMinutes(world);
  const tookMinutes = await calmMinutes(world);
  const exceeded = [...world.admittedIn].filter(([minute, count]) => {
    const lane = LANES.find((each) => minute.startsWith(each));
    return lane && count > BOUND[lane];
  });
  return { exceeded, tookMinutes, admitted: world.admittedIn };
}

const SEEDS = Array.from({ length: COURSES }, (_, index) => index + 1);

describe('sweeps that overlap, stall, crash and fail', () => {
  it.each(SEEDS)(
    'admit no more than the bound in any minute, and in the end every record: seed %s',
    async (seed) => {
      const { exceeded, tookMinutes } = await runCourse({ seed, isCounted: true });
      expect(exceeded).toEqual([]);
      expect(tookMinutes).toBeLessThan(LONGEST_MINUTES);
    },
  );

  it('exceed the bound in most courses if each sweep counts alone', async () => {
    const courses = await Promise.all(SEEDS.map((seed) => runCourse({ seed, isCounted: false })));
    expect(courses.filter(({ exceeded }) => exceeded.length > 0).length).toBeGreaterThan(COURSES / 2);
  });
});
