import { MINUTE_MS, type Random, SECOND_MS } from '#shared/kernel';
import {
  judgeArrival,
  type RateAlgorithm,
  type RateState,
} from '../../infra/sandbox/data-service/rate-limit.ts';

/** What a server that counts requests says about one that arrives. */
export interface Verdict {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** On the server's clock. */
  readonly resetAtMs: number;
}

/** Judges requests in the order in which they arrive; a refused one does not count. */
export interface RateServer {
  judge(nowMs: number): Verdict;
  setLimit(limit: number): void;
}

/** A bucket may call the return of the next token its reset, or the moment at which it is full. */
export const COUNTINGS = ['fixed', 'fixed from first', 'sliding', 'bucket', 'bucket until full'] as const;
export type Counting = (typeof COUNTINGS)[number];

const ALGORITHMS: Readonly<Record<Counting, RateAlgorithm>> = {
  fixed: 'fixed',
  'fixed from first': 'fixed',
  sliding: 'sliding',
  bucket: 'bucket',
  'bucket until full': 'bucket',
};

/** Counts as the stand-in does. */
export function createRateServer(counting: Counting, limit: number, random: Random): RateServer {
  const algorithm = ALGORITHMS[counting];
  let allowed = limit;
  let state: RateState | undefined;
  const phaseMs = counting === 'fixed' ? Math.floor(random() * MINUTE_MS) : undefined;
  return {
    judge: (nowMs) => {
      if (phaseMs !== undefined) state = windowAt(nowMs, { state, phaseMs });
      const { isAdmitted, remaining, ...judged } = judgeArrival(
        state,
        { algorithm, limitPerMinute: allowed },
        nowMs,
      );
      state = judged.state;
      const fullAtMs = state.kind === 'bucket' ? nowMs + MINUTE_MS - state.units / allowed : undefined;
      const resetAtMs = (counting === 'bucket until full' ? fullAtMs : undefined) ?? judged.resetAtMs;
      return { admitted: isAdmitted, limit: allowed, remaining, resetAtMs };
    },
    setLimit: (next) => {
      allowed = next;
    },
  };
}

/** Windows of a minute, one after the other from `phaseMs` on. */
function windowAt(
  nowMs: number,
  { state, phaseMs }: { state: RateState | undefined; phaseMs: number },
): RateState {
  const startedAtMs = nowMs - ((nowMs - phaseMs) % MINUTE_MS);
  const isOpen = state?.kind === 'fixed' && state.startedAtMs === startedAtMs;
  return isOpen ? state : { kind: 'fixed', startedAtMs, count: 0 };
}

/** The three headers of an answer, and the server's `Date` where it sends one. Timestamps are whole seconds. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
  readonly dateS: number | undefined;
}

export function headersOf(
  verdict: Verdict,
  { nowMs, tellsTime }: { nowMs: number; tellsTime: boolean },
): RateHeaders {
  const { limit, remaining, resetAtMs } = verdict;
  return {
    limit,
    remaining,
    resetS: Math.ceil(resetAtMs / SECOND_MS),
    dateS: tellsTime ? Math.floor(nowMs / SECOND_MS) : undefined,
  };
}
