import { MINUTE_MS, unreachable } from '../../../shared/kernel/index.ts';

export const RATE_ALGORITHMS = ['fixed', 'sliding', 'bucket'] as const;
export type RateAlgorithm = (typeof RATE_ALGORITHMS)[number];

/** Use of one key, as plain data that can be saved. Times in epoch milliseconds. */
export type RateState =
  | { readonly kind: 'fixed'; readonly startedAtMs: number; readonly count: number }
  /** Arrivals, oldest first. */
  | { readonly kind: 'sliding'; readonly arrivalsMs: readonly number[] }
  /** A token is 60,000 units. So for a limit of n a minute, the refill is n units a millisecond, a whole number. */
  | { readonly kind: 'bucket'; readonly units: number; readonly atMs: number };

export interface RateRule {
  readonly algorithm: RateAlgorithm;
  readonly limitPerMinute: number;
}

export interface RateVerdict {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  readonly resetAtMs: number;
  /** State after the request. A refused request does not change the state. */
  readonly state: RateState;
}

/** Judges a request that arrives now. A state of another algorithm is discarded. */
export function judgeArrival(state: RateState | undefined, rule: RateRule, nowMs: number): RateVerdict {
  switch (rule.algorithm) {
    case 'fixed':
      return judgeFixed(state?.kind === 'fixed' ? state : undefined, rule.limitPerMinute, nowMs);
    case 'sliding':
      return judgeSliding(state?.kind === 'sliding' ? state.arrivalsMs : [], rule.limitPerMinute, nowMs);
    case 'bucket':
      return judgeBucket(state?.kind === 'bucket' ? state : undefined, rule.limitPerMinute, nowMs);
    default:
      return unreachable(rule.algorithm);
  }
}

/** Values for a caller that has used nothing, for example a caller with an invalid key. */
export function untouched(rule: RateRule, nowMs: number): Pick<RateVerdict, 'remaining' | 'resetAtMs'> {
  return { remaining: rule.limitPerMinute, resetAtMs: nowMs + MINUTE_MS };
}

type FixedState = Extract<RateState, { kind: 'fixed' }>;

/** Judges by a fixed window, which starts with its first request. The reset is the window's end. */
function judgeFixed(state: FixedState | undefined, limit: number, nowMs: number): RateVerdict {
  const isOpen = state !== undefined && nowMs < state.startedAtMs + MINUTE_MS;
  const { startedAtMs, count } = isOpen ? state : { startedAtMs: nowMs, count: 0 };
  const isAdmitted = count < limit;
  const used = isAdmitted ? count + 1 : count;
  return {
    isAdmitted,
    remaining: Math.max(0, limit - used),
    resetAtMs: startedAtMs + MINUTE_MS,
    state: { kind: 'fixed', startedAtMs, count: used },
  };
}

/** Judges by the arrivals of the last 60 s. The reset is the time when the oldest arrival no longer counts. */
function judgeSliding(arrivalsMs: readonly number[], limit: number, nowMs: number): RateVerdict {
  const firstKept = arrivalsMs.findIndex((atMs) => atMs > nowMs - MINUTE_MS);
  const kept = firstKept === -1 ? [] : arrivalsMs.slice(firstKept);
  const isAdmitted = kept.length < limit;
  if (isAdmitted) kept.push(nowMs);
  return {
    isAdmitted,
    remaining: Math.max(0, limit - kept.length),
    resetAtMs: (kept[0] ?? nowMs) + MINUTE_MS,
    state: { kind: 'sliding', arrivalsMs: kept },
  };
}

type BucketState = Extract<RateState, { kind: 'bucket' }>;

const TOKEN_UNITS = MINUTE_MS;

/**
 * Judges by a bucket that holds as many tokens as the limit and is refilled evenly. The reset is the time of the next
 * whole token.
 */
function judgeBucket(state: BucketState | undefined, limit: number, nowMs: number): RateVerdict {
  const capacity = limit * TOKEN_UNITS;
  const elapsedMs = state === undefined ? 0 : Math.max(0, nowMs - state.atMs);
  const level = state === undefined ? capacity : Math.min(capacity, state.units + elapsedMs * limit);
  const isAdmitted = level >= TOKEN_UNITS;
  const units = isAdmitted ? level - TOKEN_UNITS : level;
  const remaining = Math.floor(units / TOKEN_UNITS);
  const missing = Math.min(capacity, (remaining + 1) * TOKEN_UNITS) - units;
  return {
    isAdmitted,
    remaining,
    resetAtMs: nowMs + Math.ceil(missing / limit),
    state: { kind: 'bucket', units, atMs: nowMs },
  };
}
