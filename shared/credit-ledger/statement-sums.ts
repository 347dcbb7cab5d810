import type { Purpose } from '#shared/crm';
import { monthOfDay } from '#shared/kernel';
import type { LedgerEntry, Totals } from './schemas.ts';

export interface Counted {
  readonly count: number;
  readonly credits: number;
}

const NOTHING: Counted = { count: 0, credits: 0 };

function plus({ count, credits }: Counted = NOTHING, moreCredits: number): Counted {
  return { count: count + 1, credits: credits + moreCredits };
}

function sumOf(all: readonly Counted[]): Counted {
  return all.reduce(
    (sum, { count, credits }) => ({ count: sum.count + count, credits: sum.credits + credits }),
    NOTHING,
  );
}

/** Counts the reservations that were open after an entry and in the given state. */
export function openIn(entry: LedgerEntry | undefined, state: 'pending' | 'doubtful'): Counted {
  const open = entry?.open.filter((each) => each.state === state) ?? [];
  return open.reduce((sum, { amountCredits }) => plus(sum, amountCredits), NOTHING);
}

export interface ChargeSums extends Counted {
  /** Charges of requests from an earlier month. The spend page counts them in that earlier month. */
  readonly ofEarlierMonths: Counted;
  readonly byPurpose: readonly (Counted & {
    readonly purpose: Purpose;
    readonly byOperation: readonly (Counted & { readonly operation: string })[];
  })[];
}

/** Adds up the charges of a month. */
export function createSpent(month: string) {
  const byPurpose = new Map<Purpose, Map<string, Counted>>();
  let ofEarlierMonths = NOTHING;
  return {
    add: ({ kind, purpose, operation, day, amountCredits }: LedgerEntry): void => {
      const isCharge = kind === 'posted' || kind === 'late';
      if (!isCharge || purpose === undefined || operation === undefined) return;
      const operations = byPurpose.get(purpose) ?? new Map<string, Counted>();
      byPurpose.set(purpose, operations.set(operation, plus(operations.get(operation), amountCredits)));
      if (monthOfDay(day) < month) ofEarlierMonths = plus(ofEarlierMonths, amountCredits);
    },
    sums: (): ChargeSums => {
      const parts = [...byPurpose].sort(byName).map(([purpose, operations]) => {
        const byOperation = [...operations].sort(byName).map(([operation, sum]) => ({ operation, ...sum }));
        return { purpose, ...sumOf(byOperation), byOperation };
      });
      return { ...sumOf(parts), ofEarlierMonths, byPurpose: parts };
    },
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

export type Doubts = Readonly<Record<'opened' | 'charged' | 'notCharged', Counted>>;

/** Sums up the doubts that were opened or ended, with their reserved credits. */
export function createDoubts() {
  const sums = { opened: NOTHING, charged: NOTHING, notCharged: NOTHING };
  return {
    add: ({ kind, reservationId, amountCredits }: LedgerEntry, open: LedgerEntry['open']): void => {
      if (kind === 'doubtful') sums.opened = plus(sums.opened, amountCredits);
      const doubt = open.find(({ id, state }) => id === reservationId && state === 'doubtful');
      if (!doubt) return;
      const outcome = kind === 'posted' ? 'charged' : 'notCharged';
      sums[outcome] = plus(sums[outcome], doubt.amountCredits);
    },
    sums: (): Doubts => ({ ...sums }),
  };
}

export interface ExpiredLot {
  readonly day: string;
  readonly credits: number;
  readonly unusedCredits: number;
}

/**
 * Tracks bought credits that expire. A lot is the credits of one grant. Their use counts until the end of the lot's
 * last day.
 */
export function createLots() {
  let lots: (NonNullable<Totals['expiring']>[number] & { used: number })[] = [];
  return {
    /** @param totals the totals before the month's first entry. */
    start: ({ expiring = [], lifetime }: Totals): void => {
      lots = expiring.map((lot) => ({ ...lot, used: lifetime.posted - lot.postedBefore }));
    },
    /** @param today the day of the entry's time. */
    add: ({ kind, expiresOn: day, amountCredits: credits, totals }: LedgerEntry, today: string): void => {
      const { posted } = totals.lifetime;
      if (kind === 'grant' && day !== undefined) lots.push({ day, credits, postedBefore: posted, used: 0 });
      for (const lot of lots) if (today <= lot.day) lot.used = posted - lot.postedBefore;
    },
    /**
     * Returns lots that expired. If lots overlap, each is computed as if it were used before the others. So
     * `unusedCredits` is a lower bound.
     */
    expired: (isOver: (day: string) => boolean): ExpiredLot[] =>
      lots
        .filter(({ day }) => isOver(day))
        .map(({ day, credits, used }) => ({ day, credits, unusedCredits: Math.max(0, credits - used) })),
  };
}
