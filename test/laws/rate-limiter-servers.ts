import { MINUTE_MS, type Random, SECOND_MS } from '#shared/kernel';

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

export function createRateServer(counting: Counting, limit: number, random: Random): RateServer {
  switch (counting) {
    case 'fixed':
      return fixedServer(limit, Math.floor(random() * MINUTE_MS));
    case 'fixed from first':
      return fixedServer(limit, undefined);
    case 'sliding':
      return slidingServer(limit);
    case 'bucket':
      return bucketServer(limit, (tokens) => Math.floor(tokens) + 1 - tokens);
    case 'bucket until full':
      return bucketServer(limit, (tokens, allowed) => allowed - tokens);
  }
}

/** Windows of a minute, one after the other from `phaseMs` on; without it each begins with a request. */
function fixedServer(limit: number, phaseMs: number | undefined): RateServer {
  let allowed = limit;
  let startMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    judge: (nowMs) => {
      if (nowMs >= startMs + MINUTE_MS) {
        startMs =
          phaseMs === undefined ? nowMs : nowMs - ((((nowMs - phaseMs) % MINUTE_MS) + MINUTE_MS) % MINUTE_MS);
        used = 0;
      }
      const admitted = used < allowed;
      if (admitted) used += 1;
      return {
        admitted,
        limit: allowed,
        remaining: Math.max(0, allowed - used),
        resetAtMs: startMs + MINUTE_MS,
      };
    },
    setLimit: (next) => {
      allowed = next;
    },
  };
}

/** Every stretch of a minute holds at most the limit. */
function slidingServer(limit: number): RateServer {
  let allowed = limit;
  let arrivals: number[] = [];
  return {
    judge: (nowMs) => {
      arrivals = arrivals.filter((atMs) => atMs > nowMs - MINUTE_MS);
      const admitted = arrivals.length < allowed;
      if (admitted) arrivals.push(nowMs);
      const remaining = Math.max(0, allowed - arrivals.length);
      return { admitted, limit: allowed, remaining, resetAtMs: (arrivals[0] ?? nowMs) + MINUTE_MS };
    },
    setLimit: (next) => {
      allowed = next;
    },
  };
}

/** Holds as many tokens as the limit, and gets as many back in a minute, evenly. */
function bucketServer(limit: number, missing: (tokens: number, allowed: number) => number): RateServer {
  let allowed = limit;
  let tokens = limit;
  let filledAtMs: number | undefined;
  return {
    judge: (nowMs) => {
      tokens = Math.min(allowed, tokens + ((nowMs - (filledAtMs ?? nowMs)) * allowed) / MINUTE_MS);
      filledAtMs = nowMs;
      // A whole token, but for what is lost in adding fractions.
      const admitted = tokens > 1 - 1e-9;
      if (admitted) tokens -= 1;
      const resetAtMs = nowMs + (missing(tokens, allowed) * MINUTE_MS) / allowed;
      return { admitted, limit: allowed, remaining: Math.floor(tokens + 1e-9), resetAtMs };
    },
    setLimit: (next) => {
      allowed = next;
    },
  };
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
