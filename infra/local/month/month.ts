import { type EnrichmentObserver, isStatus, type RecordReport } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS, seededRandom } from '#shared/kernel';
import { requireProperties } from '../require-access.ts';
import { createCast } from './cast.ts';
import { IDLE, passTime, WORKING } from './pass-time.ts';
import { createPeople } from './people.ts';
import { FIRST_PURCHASE, FULL, INSTALLED, MONTH, type Size, tell } from './story.ts';
import { openWorld, type World } from './world.ts';

export interface MonthOptions {
  readonly policy: Policy;
  readonly policyFile?: string | undefined;
  /** Of everything that is drawn: the same seed and end give the same month, to the last entry of the ledger. */
  readonly seed: number;
  /** Epoch milliseconds. */
  readonly endMs: number;
  readonly size?: Size;
  /** Takes the lines of the log. */
  readonly write?: (line: string) => void;
}

export interface Month {
  readonly world: World;
  readonly counts: MonthCounts;
}

/** By name, how often it came. */
export interface MonthCounts {
  readonly outcomes: ReadonlyMap<string, number>;
  /** By their reasons. */
  readonly waits: ReadonlyMap<string, number>;
  readonly fieldsFilled: number;
}

/** No event happens in the last part, so that nothing is under way when real time continues. */
const CALM_MS = 10 * MINUTE_MS;

/** Lives through a month, and the pilot half a year before it, in virtual time: real handlers over the stand-ins. */
export async function liveThroughMonth(options: MonthOptions): Promise<Month> {
  const { policy, policyFile, seed, endMs, size = FULL, write = () => undefined } = options;
  const installedAtMs = Math.floor(endMs / DAY_MS) * DAY_MS - INSTALLED * DAY_MS;
  const { observer, counts } = createCounts();
  const world = await openWorld({
    ...{ policy, seed, installedAtMs, observer, write },
    startMs: installedAtMs - DAY_MS,
    creditBalance: FIRST_PURCHASE,
  });
  await requireProperties(world.system.services, { policy, policyFile, isReal: false });
  const monthAtMs = endMs - MONTH * DAY_MS;
  const random = seededRandom(seed + 4);
  const cast = createCast(world.dataService.world, {
    random,
    moveFromMs: installedAtMs + 25 * DAY_MS,
    moveToMs: monthAtMs,
  });
  const people = createPeople(world, { cast, random });
  await people.customers(size.customers);
  const happenings = tell({ world, people, random, size, endMs });
  const before = happenings.filter(({ atMs }) => atMs < monthAtMs);
  const after = happenings.filter(({ atMs }) => atMs >= monthAtMs);
  await passTime(world, { happenings: before, untilMs: monthAtMs, pace: IDLE });
  await passTime(world, { happenings: after, untilMs: endMs - CALM_MS, pace: WORKING });
  return { world, counts: counts() };
}

function createCounts() {
  const outcomes = new Map<string, number>();
  const waits = new Map<string, number>();
  let fieldsFilled = 0;
  const count = (of: Map<string, number>, name: string) => of.set(name, (of.get(name) ?? 0) + 1);
  const observer: EnrichmentObserver = {
    repeated: () => undefined,
    ended: ({ runOutcome, written }: RecordReport) => {
      if (runOutcome.kind === 'outcome') count(outcomes, runOutcome.outcome);
      else count(waits, runOutcome.reason);
      fieldsFilled += written.filter(({ property }) => !isStatus(property)).length;
    },
  };
  return { observer, counts: () => ({ outcomes, waits, fieldsFilled }) };
}
