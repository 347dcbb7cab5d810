import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { UpstreamError } from '#shared/kernel/errors.ts';
import { resolveDoubt } from '#shared/questions/resolve-doubt.ts';
import { propertiesOf, typeOf, type Wanted } from '../builders/forms.ts';
import { tellOfOtherPortal } from '../builders/other-portal.ts';
import { createWorld, type World } from '../builders/world.ts';
import { brokenLaws } from './laws.ts';
import type { Plan, Round } from './plan.ts';
import { summary } from './summary.ts';

export interface Simulated {
  /** What became of it; the same for the same plan. */
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

/** How long a worker may live, as on AWS. */
const WORKER_LIFE_MS = 5 * MINUTE_MS;
/** How long everybody has after the last fault: the vendor's balance, budgets and breakers open again meanwhile. */
const CALM_MS = 3 * DAY_MS;

/** The whole system, on virtual time: rounds of records and faults, then a long calm in which all has to come right. */
export async function simulate(plan: Plan): Promise<Simulated> {
  const world = await open(plan);
  let created = 0;
  for (const round of plan.rounds) created += await live(world, plan, round);
  await world.changeService({ faults: [], creditBalance: 100_000 });
  await world.portal.change({ faults: [] });
  await passTime(world, plan, { forMs: CALM_MS, everyMs: HOUR_MS });
  await resolveDoubts(world, plan);
  await passTime(world, plan, { forMs: CALM_MS, everyMs: HOUR_MS });
  return { lines: await summary(world), problems: await brokenLaws(world, { plan, created }) };
}

function open(plan: Plan): Promise<World> {
  const { seed, perDay, noMatchCost, wantPhone, rateAlgorithm, duplicateRate, outOfOrder } = plan;
  return createWorld({
    seed,
    pinned: false,
    policy: { budgets: { perDay }, noMatchCost, questions: { wantPhone } },
    dataService: { noMatchCost, rateAlgorithm },
    hubSpot: { duplicateRate, outOfOrder },
  });
}

/** @returns how many records came into being. */
async function live(world: World, plan: Plan, round: Round): Promise<number> {
  const { serviceFaults, portalFaults, balance, strike, lastsMs } = round;
  await world.portal.change({ faults: [] });
  let created = 0;
  for (const wanted of round.created) created += (await create(world, wanted)) ? 1 : 0;
  await world.changeService({
    faults: serviceFaults,
    ...(balance !== undefined && { creditBalance: balance }),
  });
  await world.portal.change({ faults: portalFaults });
  if (strike) world.processes.planForNext(strike);
  await passTime(world, plan, { forMs: lastsMs, everyMs: Math.min(lastsMs, 5 * MINUTE_MS) });
  return created;
}

/**
 * HubSpot has one contact an address; who is there already, by hand or by our own writing, is not made again. Another
 * portal has a record of the same id, which comes to all the ends that a record can come to.
 */
async function create(world: World, wanted: Wanted): Promise<boolean> {
  try {
    const record = await world.portal.create(typeOf(wanted), propertiesOf(world, wanted));
    await tellOfOtherPortal(world, record);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Contact already exists')) throw error;
    return false;
  }
}

interface Span {
  readonly forMs: number;
  readonly everyMs: number;
}

async function passTime(world: World, { workers }: Plan, { forMs, everyMs }: Span): Promise<void> {
  const untilMs = world.clock.now() + forMs;
  while (world.clock.now() < untilMs) {
    await workOff(world, workers);
    await world.clock.sleep(everyMs);
    await reconcile(world);
  }
  await workOff(world, workers);
}

async function workOff(world: World, workers: number): Promise<void> {
  for (;;) {
    const { requests } = await world.portal.sandbox.deliverWebhooks();
    const queues = [world.queues.live, world.queues.bulk];
    const nowMs = world.clock.now();
    const isVisible = queues.some((queue) => (queue.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY) <= nowMs);
    if (requests === 0 && !isVisible) return;
    await world.processes.work({ workers });
  }
}

/** Its schedule runs it again, whatever the outside did to it this time. */
async function reconcile(world: World): Promise<void> {
  try {
    await world.processes.reconcile();
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
  }
}

async function resolveDoubts(world: World, { believed }: Plan): Promise<void> {
  const { ledger, questions } = world.services;
  const doubts = (await ledger.openReservations()).filter(({ state }) => state === 'doubtful');
  for (const [index, { questionKey }] of doubts.entries()) {
    const charged = believed[index % believed.length] ?? true;
    await resolveDoubt(questions, { questionKey, charged, note: 'believed' }, { graceMs: WORKER_LIFE_MS });
  }
}
