import { httpError, type Send } from '#shared/http';
import { type Clock, type Random, SECOND_MS } from '#shared/kernel';
import type { SqliteStore } from '#shared/store/adapters';
import { DATA_SERVICE_URL } from '../../harness/addresses.ts';
import type { Commands } from '../../harness/console.ts';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import type { World } from '../../harness/world.ts';
import type {
  Accepted,
  AgreedPrice,
  Backfilled,
  Erased,
  Halt,
  Quiet,
  Rejected,
  Resolved,
  Undone,
} from './oracle/evidence.ts';
import type { Plan } from './plan.ts';

/** A backfill that a person started, while the course runs. */
export interface SeenBackfill extends Omit<Backfilled, 'status' | 'halts'> {
  readonly halts: Halt[];
}

/** A run, and its record of people's actions. */
export interface Course {
  readonly plan: Plan;
  readonly world: World;
  readonly run: Commands['run'];
  readonly commands: Commands;
  readonly created: RecordName[];
  readonly erased: Erased[];
  readonly undone: Undone[];
  readonly rejected: Rejected[];
  readonly resolved: Resolved[];
  readonly prices: AgreedPrice[];
  readonly backfills: SeenBackfill[];
  readonly accepted: Accepted[];
  readonly quiet: Quiet[];
  readonly closed: Quiet[];
  readonly line: VendorLine;
  readonly refusedForGood: string[];
  readonly lateWrites: LateWrites;
  readonly store: SqliteStore;
  /** Time when people requested every existing record. */
  askedForAllAtMs: number;
}

export type LateWrites = ReturnType<typeof createLateWrites>;

/** Lets HubSpot leave some writes without an answer, and process them later. */
export function createLateWrites(random: Random) {
  let clock: Pick<Clock, 'sleep'> | undefined;
  let [lateMs, left] = [0, 0];
  return {
    /** From now on, delays this many writes. */
    set: (by: Pick<Clock, 'sleep'>, wanted: { readonly lateMs: number; readonly times: number }) => {
      clock = by;
      [lateMs, left] = [wanted.lateMs, wanted.times];
    },
    through:
      (send: Send): Send =>
      async (request) => {
        const isStruck = left > 0 && request.url.endsWith('/batch/update') && random() < 0.7;
        if (!isStruck || !clock) return send(request);
        left -= 1;
        void clock
          .sleep(lateMs)
          .then(() => send(request))
          .catch(() => undefined);
        throw httpError({ code: 'HTTP_CONNECTION_LOST', retryable: true });
      },
  };
}

export type VendorLine = ReturnType<typeof createVendorLine>;

/**
 * The connection to the vendor. Requests may take long on it. It also records the rate refusals: from when on no
 * earlier request arrives any more, and until when.
 */
export function createVendorLine(random: Random) {
  const refusals: Quiet[] = [];
  let clock: Pick<Clock, 'sleep'> | undefined;
  let mostMs = 0;
  return {
    refusals,
    /** Sets how long requests are on their way at most, from now on, before the vendor receives them. */
    set: (by: Pick<Clock, 'sleep'>, lineMs: number) => {
      [clock, mostMs] = [by, lineMs];
    },
    through:
      (send: Send): Send =>
      async (request) => {
        if (!request.url.startsWith(DATA_SERVICE_URL)) return send(request);
        const lineMs = mostMs === 0 ? 0 : random() * mostMs;
        if (lineMs > 0) await clock?.sleep(lineMs, request.signal);
        const response = await send({ ...request, timeoutMs: request.timeoutMs - lineMs });
        const reset = Number(response.headers['x-ratelimit-reset']);
        if (response.status === 429 && reset > 0)
          refusals.push({ fromMs: response.receivedAtMs + mostMs, toMs: reset * SECOND_MS });
        return response;
      },
  };
}
