import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { Station, StationOptions } from './station.ts';

export interface Incident {
  readonly name: string;
  /** The titles of the alarms that ring, and no other does, with the latest minute after its begin. */
  readonly rings: Readonly<Record<string, number>>;
  /** Of those, the ones that are not over soon after its end. */
  readonly stay?: readonly string[];
  readonly options?: StationOptions;
  /** Runs with all tests; the others take minutes together. */
  readonly isQuick?: boolean;
  /** Ordinary life before it; half an hour unless told. */
  readonly afterMs?: number;
  readonly begin: (station: Station) => Promise<unknown> | unknown;
  readonly lastsMs: number;
  readonly end?: (station: Station) => Promise<unknown> | unknown;
}

/** For incidents of a day or longer. */
export const SLOWLY = { leadEveryMs: HOUR_MS, sweepEveryMs: 5 * MINUTE_MS, workEveryMs: MINUTE_MS };
/** For days in which nobody comes. */
export const IDLY = { leadEveryMs: 0, sweepEveryMs: 15 * MINUTE_MS, workEveryMs: 5 * MINUTE_MS };
