import { type Clock, dayOf } from '#shared/kernel';
import { change, type ItemKey, type Known, type VersionedItems } from '#shared/store';
import { type Day, type DayStop, MAX_WAITED, type YieldCount } from './schemas.ts';
import { dayKind } from './stored-kinds.ts';

/** Yields and stops, one item for each day of the ledger's time zone. */
export interface Days {
  /**
   * Adds to today's sums. It is called one time after many runs have settled. A crash may lose a count, but nothing is
   * counted twice.
   */
  addYields(rows: readonly YieldCount[]): Promise<void>;
  /** Adds the stops that a sweep sees now. A stop that begins and ends between two sweeps is missing. */
  addStops(stops: readonly SeenStop[]): Promise<void>;
  /**
   * Marks the stops of a kind on a day as seen, up to the time that the page showed.
   * @returns the number of marked stops.
   */
  markSeen(shown: ShownStop): Promise<number>;
  /** Reads one item for each of these days (`2026-11-21`), in this order. */
  read(days: readonly string[]): Promise<readonly NamedDay[]>;
}

export type NamedDay = Day & { readonly day: string };
export type SeenStop = Pick<
  DayStop,
  'kind' | 'objectType' | 'what' | 'sinceMs' | 'leads' | 'waited' | 'enoughCredits'
> & { readonly params?: Readonly<Record<string, string | number | undefined>> | undefined };

interface ShownStop {
  readonly day: string;
  readonly kind: string;
  readonly toMs: number;
  readonly by: string;
}

interface Services {
  readonly items: VersionedItems<Day>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** IANA name of the ledger's time zone. */
  readonly timeZone: string;
}

const EMPTY: Day = { yields: [], stops: [] };

export function createDays({ items, clock, timeZone }: Services): Days {
  // A worker that is alone needs no read.
  const written = new Map<ItemKey, Known<Day>>();
  const changeToday = (next: (day: Day, nowMs: number) => Day) => {
    const nowMs = clock.now();
    const key = dayKind.key(dayOf(nowMs, timeZone));
    if (!written.has(key)) written.clear();
    return change(items, { key, kind: 'day', clock, written }, (day = EMPTY) => ({
      value: next(day, nowMs),
    }));
  };
  return {
    addYields: async (rows) => {
      if (rows.length === 0) return;
      await changeToday((day) => ({ ...day, yields: sumYields([...day.yields, ...rows]) }));
    },
    addStops: async (stops) => {
      if (stops.length === 0) return;
      await changeToday((day, nowMs) => ({
        ...day,
        stops: withStops(day.stops, stops, { nowMs, timeZone }),
      }));
    },
    markSeen: async ({ day, kind, toMs, by }) => {
      const { marked } = await change(
        items,
        { key: dayKind.key(day), kind: 'day', clock },
        (known = EMPTY) => {
          const isShown = (stop: DayStop) => stop.kind === kind && stop.toMs <= toMs && !stop.seen;
          const seen = { by, atMs: clock.now() };
          const stops = known.stops.map((stop) => (isShown(stop) ? { ...stop, seen } : stop));
          const marked = known.stops.filter(isShown).length;
          return { marked, value: marked > 0 ? { ...known, stops } : undefined };
        },
      );
      return marked;
    },
    read: (days) =>
      Promise.all(
        days.map(async (day) => ({ day, ...((await items.read(dayKind.key(day)))?.value ?? EMPTY) })),
      ),
  };
}

/** Sums up the yields of several days. */
export function yieldsOf(days: readonly Day[]): YieldCount[] {
  return sumYields(days.flatMap(({ yields }) => yields));
}

function sumYields(rows: readonly YieldCount[]): YieldCount[] {
  const sums = new Map<string, YieldCount>();
  for (const row of rows) {
    const key = [row.purpose, row.kind, row.rule, row.objectType, row.source].join('\n');
    const { runs = 0, fields = 0 } = sums.get(key) ?? {};
    sums.set(key, { ...row, runs: runs + row.runs, fields: fields + row.fields });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/**
 * Maximum number of stops of a day. A stop may begin and end many times a day. Later stops are joined to the last stop
 * of their kind.
 */
export const MAX_DAY_STOPS = 24;

interface Moment {
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Extends the stops that were already seen on this day, and adds new ones. */
export function withStops(
  known: readonly DayStop[],
  stops: readonly SeenStop[],
  moment: Moment,
): readonly DayStop[] {
  return stops.reduce((seen, stop) => withStop(seen, stop, moment), known);
}

function withStop(
  seen: readonly DayStop[],
  { kind, objectType, params, what, sinceMs, ...suffering }: SeenStop,
  { nowMs, timeZone }: Moment,
): readonly DayStop[] {
  const budget = params?.['budget']?.toString();
  // A budget has one stop at a time. Its kind can change: at first, the rest is reserved for leads.
  const isOfBudget = budget !== undefined;
  const lastIndex = seen.findLastIndex((stop) =>
    isOfBudget ? stop.budget === budget : stop.kind === kind && stop.objectType === objectType,
  );
  const earlier = seen[lastIndex];
  const isFull = seen.length >= MAX_DAY_STOPS;
  if (earlier?.kind === kind && (earlier.sinceMs === sinceMs || isFull)) {
    // A stop that goes on must be seen again.
    const { seen: _, ...known } = earlier;
    return seen.with(lastIndex, { ...known, what, toMs: nowMs, ...worst(earlier, suffering) });
  }
  if (isFull) return seen;
  const isOfToday = sinceMs !== undefined && dayOf(sinceMs, timeZone) === dayOf(nowMs, timeZone);
  const place = {
    ...(isOfBudget && { budget }),
    ...(objectType && { objectType }),
    ...(sinceMs !== undefined && { sinceMs }),
  };
  const fromMs = Math.max(isOfToday ? sinceMs : nowMs, (isOfBudget && earlier?.toMs) || 0);
  return [...seen, { kind, ...place, what, fromMs, toMs: nowMs, ...worst({}, suffering) }];
}

type Suffering = Pick<SeenStop, 'leads' | 'waited' | 'enoughCredits'>;

/** The most leads, the highest budget, and the wait of each lead from its begin to its last sight. */
function worst(known: Suffering, now: Suffering): Suffering {
  const most = (of: 'leads' | 'enoughCredits') => Math.max(known[of] ?? 0, now[of] ?? 0);
  const waits = Map.groupBy([...(known.waited ?? []), ...(now.waited ?? [])], ({ record }) => record);
  const waited = [...waits.values()].flatMap(([first, last = first]) =>
    first && last ? [{ ...last, fromMs: first.fromMs }] : [],
  );
  return {
    ...(most('leads') > 0 && { leads: most('leads') }),
    ...(waited.length > 0 && { waited: waited.slice(0, MAX_WAITED) }),
    ...(most('enoughCredits') > 0 && { enoughCredits: most('enoughCredits') }),
  };
}
