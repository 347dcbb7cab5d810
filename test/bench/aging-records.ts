import { DAY_MS } from '#inside/kernel/clock.ts';
import { seededRandom } from '#inside/kernel/random.ts';
import { observe, PRIORS } from '#inside/records/change-rate.ts';
import { chooseByWorth } from '#inside/records/choose-by-worth.ts';
import { newRecordState, recordPlace } from '#inside/records/record-state.ts';
import type { RecordState } from '#inside/records/schemas.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import { gammaDraw } from './gamma.ts';

/** A world in which records become stale, and the credits of a day allow only some lookups. */
export interface AgingWorld {
  readonly seed: number;
  readonly records: number;
  readonly years: number;
  /** Days at the start that only teach the estimates, and are not counted. */
  readonly learningYears: number;
  /** Mean number of changes a year. Each record has its own rate, gamma distributed with this shape. */
  readonly changesPerYear: number;
  readonly shape: number;
  readonly asksPerRecordYear: number;
  /** Days for which an answer is reused without a new question. */
  readonly freshDays: number;
}

/** Worth of a record: ten for a tenth of them, three for three tenths, one for the others. */
const weightOf = (draw: number) => (draw < 0.1 ? 10 : draw < 0.4 ? 3 : 1);

export interface Aging {
  readonly w: number;
  /** Changes a day. */
  readonly rate: number;
  /** Days on which it changes. */
  readonly changes: readonly number[];
  /** Day of the last answer. */
  answered: number;
}

/** Chooses at most this many records to look up today, by number. */
export type Chooser = (today: number, most: number) => Promise<readonly number[]>;
/** Makes a chooser; `answered` is called with each answer. */
export type Policy = (
  all: readonly Aging[],
  world: AgingWorld,
) => {
  readonly choose: Chooser;
  readonly answered?: (
    index: number,
    answer: { today: number; days: number; changed: boolean },
  ) => Promise<void>;
};

/** @returns the share of the time, by weight, in which a record's stored data is outdated. */
export async function weightedStaleness(world: AgingWorld, policy: Policy): Promise<number> {
  const all = drawn(world);
  const { choose, answered } = policy(all, world);
  const days = Math.round(world.years * 365);
  let budget = 0;
  let stale = 0;
  let counted = 0;
  for (let today = 0; today < days; today += 1) {
    if (today >= world.learningYears * 365)
      for (const one of all) {
        counted += one.w;
        if (hasChanged(one, today)) stale += one.w;
      }
    budget += (world.records * world.asksPerRecordYear) / 365;
    const most = Math.floor(budget);
    budget -= most;
    for (const index of await choose(today, most)) {
      const one = all[index];
      if (!one) continue;
      await answered?.(index, { today, days: today - one.answered, changed: hasChanged(one, today) });
      one.answered = today;
    }
  }
  return stale / counted;
}

function hasChanged({ changes, answered }: Aging, today: number): boolean {
  return changes.some((day) => day > answered && day <= today);
}

function drawn({ seed, records, years, changesPerYear, shape, asksPerRecordYear }: AgingWorld): Aging[] {
  const random = seededRandom(seed);
  return Array.from({ length: records }, () => {
    const rate = (gammaDraw(random, shape) * changesPerYear) / shape / 365;
    const answered = -Math.floor((random() / asksPerRecordYear) * 365);
    const changes: number[] = [];
    for (let day = answered; day < years * 365; day += -Math.log(1 - random()) / rate)
      if (day > answered) changes.push(day);
    return { w: weightOf(random()), rate, changes, answered };
  });
}

/** Chooses the best records by a simple score, over all records. */
export function byNumber(number: (one: Aging, days: number) => number): Policy {
  return (all, { freshDays }) => ({
    choose: async (today, most) =>
      all
        .map((one, index) => ({ index, days: today - one.answered, one }))
        .filter(({ days }) => days >= freshDays)
        .map(({ index, days, one }) => ({ index, value: number(one, days) }))
        .sort((a, b) => b.value - a.value)
        .slice(0, most)
        .map(({ index }) => index),
  });
}

/** The product's own choice, over records as they are stored. */
export function byWorth(
  all: ReadonlyArray<Pick<Aging, 'w' | 'answered'>>,
  { freshDays }: Pick<AgingWorld, 'freshDays'>,
): ReturnType<Policy> {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const put = async (index: number, change: Partial<RecordState>) => {
    const key = String(index);
    const known = await records.read(key);
    const value = { ...(known?.value ?? newRecordState('contacts', key)), ...change };
    await records.write({ key, value, expectedVersion: known?.version ?? 0 });
    return value;
  };
  // Index orders are never negative.
  const at = (day: number) => (day + EPOCH_DAY) * DAY_MS;
  const times = (day: number) => ({ answeredAtMs: at(day), staleAtMs: at(day + freshDays) });
  const filled = Promise.all(
    all.map(({ w, answered }, index) => put(index, { ...times(answered), worth: { w, g: 0, because: '' } })),
  );
  return {
    choose: async (today, most) => {
      await filled;
      const services = { records, worstCaseCredits: () => 1 };
      const { chosen } = await chooseByWorth(services, { nowMs: at(today), credits: most, most: 1_000 });
      return chosen.map(({ state }) => Number(state.id));
    },
    answered: async (index, { today, days, changed }) => {
      const known = (await records.read(String(index)))?.value;
      const changeRate = observe(known?.changeRate ?? PRIORS.contacts, { days, changed });
      await put(index, { ...times(today), changeRate });
    },
  };
}

const EPOCH_DAY = 10_000;
