import { type Clock, dayOf } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { DayStop, StopDay } from './schemas.ts';
import type { Stop } from './stops.ts';
import { stopDayKind } from './stored-kinds.ts';

/**
 * History of stops. The sweep adds the stops that it sees. So a stop that begins and ends between two sweeps is
 * missing. A reader adds the present stops with `withPresentStops`.
 */
export interface StopDays {
  /** Adds the current stops to today's item. Writes nothing if no stop exists. */
  add(stops: readonly Stop[]): Promise<void>;
  /** Returns the stops on these days (such as `2026-11-21`), in this order. Reads one item for each day. */
  read(days: readonly string[]): Promise<readonly (DayStop & { readonly day: string })[]>;
}

/** Adds the present stops to a read history that includes today. A sweep may not have seen them yet. */
export function withPresentStops(
  seen: readonly (DayStop & { readonly day: string })[],
  stops: readonly Stop[],
  when: { readonly nowMs: number; readonly timeZone: string },
): readonly (DayStop & { readonly day: string })[] {
  const today = dayOf(when.nowMs, when.timeZone);
  const before = seen.filter(({ day }) => day !== today);
  const ofToday: readonly DayStop[] = seen.filter(({ day }) => day === today);
  const withPresent = stops.reduce((known, stop) => withStop(known, stop, when), ofToday);
  return [...before, ...withPresent.map((stop) => ({ ...stop, day: today }))];
}

interface Services {
  readonly items: VersionedItems<StopDay>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

/**
 * Maximum number of stops of a day. A stop may begin and end many times a day. Later stops are joined to the last stop
 * of their kind.
 */
export const MAX_DAY_STOPS = 24;

export function createStopDays({ items, clock, timeZone }: Services): StopDays {
  return {
    add: async (stops) => {
      if (stops.length === 0) return;
      const nowMs = clock.now();
      const key = stopDayKind.key(dayOf(nowMs, timeZone));
      await change(items, { key, kind: 'stops of a day', clock }, (known) => ({
        value: {
          stops: stops.reduce((seen, stop) => withStop(seen, stop, { nowMs, timeZone }), known?.stops ?? []),
        },
      }));
    },
    read: async (days) => {
      const read = await Promise.all(
        days.map(async (day) => ({ day, item: await items.read(stopDayKind.key(day)) })),
      );
      return read.flatMap(({ day, item }) => (item?.value.stops ?? []).map((stop) => ({ day, ...stop })));
    },
  };
}

/** Extends a stop that was already seen, or adds a stop that is new on this day. */
function withStop(
  seen: readonly DayStop[],
  { kind, objectType, what, sinceMs }: Stop,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): readonly DayStop[] {
  const isSame = (stop: DayStop) => stop.kind === kind && stop.objectType === objectType;
  const lastIndex = seen.findLastIndex(isSame);
  const earlier = seen[lastIndex];
  if (earlier && (earlier.sinceMs === sinceMs || seen.length >= MAX_DAY_STOPS))
    return seen.with(lastIndex, { ...earlier, what, toMs: nowMs });
  if (seen.length >= MAX_DAY_STOPS) return seen;
  const isOfToday = sinceMs !== undefined && dayOf(sinceMs, timeZone) === dayOf(nowMs, timeZone);
  const place = { ...(objectType && { objectType }), ...(sinceMs !== undefined && { sinceMs }) };
  return [...seen, { kind, ...place, what, fromMs: isOfToday ? sinceMs : nowMs, toMs: nowMs }];
}
