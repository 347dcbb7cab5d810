import { type EnrichmentObserver, isStatus, type RecordReport } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS, seededRandom } from '#shared/kernel';
import { requireProperties } from '../require-access.ts';
import { drawCharacters } from './cast.ts';
import { IDLE, passTime, WORKING } from './pass-time.ts';
import { createPeople } from './people.ts';
import { FIRST_PURCHASE, FULL, INSTALLED_DAYS_AGO, MONTH, planMonth, type Size } from './story.ts';
import { openWorld, type World } from './world.ts';

export interface MonthOptions {
  readonly policy: Policy;
  readonly policyFile?: string | undefined;
  /** Seed of all random draws. The same seed and end give the same month, down to the last ledger entry. */
  readonly seed: number;
  /** Epoch milliseconds. */
  readonly endMs: number;
  readonly size?: Size;
  /** Receives the lines of the log. */
  readonly write?: (line: string) => void;
}

export interface Month {
  readonly world: World;
  readonly counts: MonthCounts;
}

/** Counts of events by name. */
export interface MonthCounts {
  readonly outcomes: ReadonlyMap<string, number>;
  /** Number of waits by reason. */
  readonly waits: ReadonlyMap<string, number>;
  readonly fieldsFilled: number;
}

/** The last minutes have no events, so that all work is finished when the simulation ends. */
const CALM_MS = 10 * MINUTE_MS;

/** Simulates a month, and a pilot half a year before it, in virtual time. The real handlers run on the stand-ins. */
export async function simulateMonth(options: MonthOptions): Promise<Month> {
  const { policy, policyFile, seed, endMs, size = FULL, write = () => undefined } = options;
  const installedAtMs = Math.floor(endMs / DAY_MS) * DAY_MS - INSTALLED_DAYS_AGO * DAY_MS;
  const { observer, counts } = createCounts();
  const world = await openWorld({
    ...{ policy, seed, installedAtMs, observer, write },
    startMs: installedAtMs - DAY_MS,
    creditBalance: FIRST_PURCHASE,
  });
  await requireProperties(world.system.services, { policy, policyFile, isReal: false });
  const monthAtMs = endMs - MONTH * DAY_MS;
  const random = seededRandom(seed + 4);
  const cast = drawCharacters(world.dataService.world, {
    random,
    moveFromMs: installedAtMs + 25 * DAY_MS,
    moveToMs: monthAtMs,
  });
  const people = createPeople(world, { cast, random });
  await people.customers(size.customers);
  const actions = planMonth({ world, people, random, size, endMs });
  const before = actions.filter(({ atMs }) => atMs < monthAtMs);
  const after = actions.filter(({ atMs }) => atMs >= monthAtMs);
  await passTime(world, { actions: before, untilMs: monthAtMs, pace: IDLE });
  await passTime(world, { actions: after, untilMs: endMs - CALM_MS, pace: WORKING });
  return { world, counts: counts() };
}

function createCounts() {
  const outcomes = new Map<string, number>();
  const waits = new Map<string, number>();
  let fieldsFilled = 0;
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
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
