import { type Clock, dayOf } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { DayStop, StopDay } from './schemas.ts';
import type { Stop } from './stops.ts';
import { stopDayKind } from './stored-kinds.ts';

/** History of stops. The sweep adds the stops that it sees, so a stop that ends between two sweeps is missing. */
export interface StopDays {
  /** Adds the current stops to today. Writes nothing without a stop. */
  add(stops: readonly Stop[]): Promise<void>;
  /** Stops on these days (`2026-11-21`), in this order. Reads one item for each day. */
  read(days: readonly string[]): Promise<readonly (DayStop & { readonly day: string })[]>;
}

interface Services {
  readonly items: VersionedItems<StopDay>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

/** Bound for a stop that begins and ends all day: later ones are joined to the last of their kind. */
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

/** Extends a stop that was seen before, or adds one that is new on this day. */
function withStop(
  seen: readonly DayStop[],
  { kind, objectType, what, sinceMs }: Stop,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): readonly DayStop[] {
  const isSame = (stop: DayStop) => stop.kind === kind && stop.objectType === objectType;
  const last = seen.findLastIndex(isSame);
  const before = seen[last];
  if (before && (before.sinceMs === sinceMs || seen.length >= MAX_DAY_STOPS))
    return seen.with(last, { ...before, what, toMs: nowMs });
  if (seen.length >= MAX_DAY_STOPS) return seen;
  const isOfToday = sinceMs !== undefined && dayOf(sinceMs, timeZone) === dayOf(nowMs, timeZone);
  const place = { ...(objectType && { objectType }), ...(sinceMs !== undefined && { sinceMs }) };
  return [...seen, { kind, ...place, what, fromMs: isOfToday ? sinceMs : nowMs, toMs: nowMs }];
}
