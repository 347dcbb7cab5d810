import type { Random } from '#shared/kernel';
import { daysBefore } from './days.ts';
import { backfillCustomers, bookPurchase, buyCredits, resolveDoubts } from './operator.ts';
import type { Happening } from './pass-time.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/** How many of whom. */
export interface Size {
  /** Contacts on a working day, on average. */
  readonly leads: number;
  readonly customers: number;
  readonly imported: number;
  readonly fair: number;
}

export const FULL: Size = { leads: 10, customers: 150, imported: 300, fair: 60 };

/** Days before the end: the installation, the pilot, and the month itself. */
export const INSTALLED = 206;
const PILOT = { from: 205, to: 184 };
export const MONTH = 30;

interface Told {
  readonly world: World;
  readonly people: People;
  readonly random: Random;
  readonly size: Size;
  readonly endMs: number;
}

export const FIRST_PURCHASE = 1_500;

/** A pilot half a year ago, whose answers are stale in the month, and then the month with all that befalls it. */
export function tell(told: Told): Happening[] {
  return [...pilot(told), ...ordinaryDays(told), ...events(told), ...misfortunes(told)];
}

function pilot({ world, people, endMs }: Told): Happening[] {
  const { at, workdays } = daysBefore(endMs);
  const bought = { credits: FIRST_PURCHASE, invoice: 'invoice 1001' };
  const invoice = { atMs: at(INSTALLED, 8), happen: () => bookPurchase(world, bought) };
  const days = workdays(PILOT.from, PILOT.to).flatMap((day, index) => [
    { atMs: at(day, 9), happen: people.known },
    { atMs: at(day, 11), happen: index % 4 === 0 ? people.mover : people.lead },
    { atMs: at(day, 15), happen: index % 2 === 0 ? people.company : people.known },
  ]);
  return [invoice, ...days];
}

/** Leads, companies, and what people edit, from nine to five. */
function ordinaryDays({ people, random, size, endMs }: Told): Happening[] {
  const { at, workdays } = daysBefore(endMs);
  return workdays(MONTH - 1, 0).flatMap((day, index) => {
    const some = (count: number, happen: () => Promise<void>) =>
      Array.from({ length: count }, () => ({ atMs: at(day, 9 + 8 * random()), happen }));
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

function events({ world, people, size, endMs }: Told): Happening[] {
  const { at, atWork } = daysBefore(endMs);
  const bought = { credits: 3_000, invoice: 'invoice 1002' };
  return [
    { atMs: atWork(27, 10), happen: () => backfillCustomers(world) },
    { atMs: atWork(22, 8), happen: () => buyCredits(world, bought) },
    { atMs: atWork(20, 9.5), happen: () => people.imported(size.imported) },
    { atMs: atWork(9, 10), happen: people.erase },
    { atMs: atWork(7, 16), happen: () => people.fair(size.fair) },
    // On the day before, whatever day it is: the month ends while it waits for credits.
    { atMs: at(1, 15), happen: () => people.imported(size.imported) },
  ];
}

const HANGS = { faults: [{ kind: 'hang', times: 1 }] } as const;
const REFUSES = { faults: [{ kind: 'status', status: 401 }] } as const;

/** An outage of four hours, a key that is refused for one, and two requests whose answers are lost: one charge is known. */
function misfortunes({ world, people, endMs }: Told): Happening[] {
  const { atWork } = daysBefore(endMs);
  return [
    { atMs: atWork(16, 11), happen: async () => world.wire.cut(true) },
    { atMs: atWork(16, 15), happen: async () => world.wire.cut(false) },
    { atMs: atWork(13, 10), happen: () => world.changeService(REFUSES) },
    { atMs: atWork(13, 10.2), happen: people.known },
    { atMs: atWork(13, 11), happen: () => world.changeService({ faults: [] }) },
    ...[12, 4].flatMap((day) => [
      { atMs: atWork(day, 12), happen: () => world.changeService(HANGS) },
      { atMs: atWork(day, 12.01), happen: people.known },
    ]),
    { atMs: atWork(11, 12), happen: () => resolveDoubts(world) },
  ];
}
