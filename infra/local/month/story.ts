import type { Random } from '#shared/kernel';
import { daysBefore } from './days.ts';
import { backfillCustomers, bookPurchase, buyCredits, resolveDoubts } from './operator.ts';
import type { TimedAction } from './pass-time.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/** Numbers of records to create. */
export interface Size {
  /** Contacts on a working day, on average. */
  readonly leads: number;
  readonly customers: number;
  readonly imported: number;
  readonly fair: number;
}

export const FULL: Size = { leads: 10, customers: 150, imported: 300, fair: 60 };

/** Start of the installation, the pilot and the month itself, in days before the end. */
export const INSTALLED_DAYS_AGO = 206;
const PILOT = { from: 205, to: 184 };
export const MONTH = 30;

interface PlanInput {
  readonly world: World;
  readonly people: People;
  readonly random: Random;
  readonly size: Size;
  readonly endMs: number;
}

export const FIRST_PURCHASE = 1_500;

/** Lists all events of the pilot half a year ago and of the month itself. The pilot's answers are stale at the end. */
export function planMonth(told: PlanInput): TimedAction[] {
  return [...pilot(told), ...ordinaryDays(told), ...events(told), ...misfortunes(told)];
}

function pilot({ world, people, endMs }: PlanInput): TimedAction[] {
  const { at, workdays } = daysBefore(endMs);
  const bought = { credits: FIRST_PURCHASE, invoice: 'invoice 1001' };
  const invoice = { atMs: at(INSTALLED_DAYS_AGO, 8), run: () => bookPurchase(world, bought) };
  const days = workdays(PILOT.from, PILOT.to).flatMap((day, index) => [
    { atMs: at(day, 9), run: people.known },
    { atMs: at(day, 11), run: index % 4 === 0 ? people.mover : people.lead },
    { atMs: at(day, 15), run: index % 2 === 0 ? people.company : people.known },
  ]);
  return [invoice, ...days];
}

/** New leads, new companies and edits, between nine and five o'clock. */
function ordinaryDays({ people, random, size, endMs }: PlanInput): TimedAction[] {
  const { at, workdays } = daysBefore(endMs);
  return workdays(MONTH - 1, 0).flatMap((day, index) => {
    const some = (count: number, run: () => Promise<void>) =>
      Array.from({ length: count }, () => ({ atMs: at(day, 9 + 8 * random()), run }));
    const leads = Math.round(size.leads * (0.7 + 0.6 * random()));
    return [
      ...some(leads, people.lead),
      ...some(Math.ceil(leads / 5), people.company),
      ...some(1, index % 3 === 0 ? people.clear : people.retitle),
      ...some(index % 2, people.request),
      ...some(index % 5 === 2 ? 1 : 0, people.mixedUp),
    ];
  });
}

function events({ world, people, size, endMs }: PlanInput): TimedAction[] {
  const { at: onDay, atWork } = daysBefore(endMs);
  const bought = { credits: 3_000, invoice: 'invoice 1002' };
  return [
    { atMs: atWork(27, 10), run: () => backfillCustomers(world) },
    { atMs: atWork(22, 8), run: () => buyCredits(world, bought) },
    { atMs: atWork(20, 9.5), run: () => people.imported(size.imported) },
    { atMs: atWork(9, 10), run: people.erase },
    { atMs: atWork(7, 16), run: () => people.fair(size.fair) },
    // This import is on the day before the end, even at a weekend, so that it still waits for credits at the end.
    { atMs: onDay(1, 15), run: () => people.imported(size.imported) },
  ];
}

const HANGS = { faults: [{ kind: 'hang', times: 1 }] } as const;
const REFUSES = { faults: [{ kind: 'status', status: 401 }] } as const;

/**
 * An outage of four hours, a key refused for one hour, and two requests without an answer. A person resolves one of
 * the two.
 */
function misfortunes({ world, people, endMs }: PlanInput): TimedAction[] {
  const { atWork } = daysBefore(endMs);
  return [
    { atMs: atWork(16, 11), run: async () => world.wire.cut(true) },
    { atMs: atWork(16, 15), run: async () => world.wire.cut(false) },
    { atMs: atWork(13, 10), run: () => world.changeService(REFUSES) },
    { atMs: atWork(13, 10.2), run: people.known },
    { atMs: atWork(13, 11), run: () => world.changeService({ faults: [] }) },
    ...[12, 4].flatMap((day) => [
      { atMs: atWork(day, 12), run: () => world.changeService(HANGS) },
      { atMs: atWork(day, 12.01), run: people.known },
    ]),
    // On the day of the first request without an answer: the next one could be moved before it, from a weekend.
    { atMs: atWork(12, 15), run: () => resolveDoubts(world) },
  ];
}
