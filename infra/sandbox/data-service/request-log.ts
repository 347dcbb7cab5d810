/** A single request and its result. The bill, in contrast, has only sums. */
export interface LoggedRequest {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly body?: string;
  /** Credits charged. */
  credits: number;
  /** Absent while unknown. */
  status?: number;
  /** Kind of its fault. */
  fault?: string;
  /** Time of the answer. Absent without an answer. */
  answeredAtMs?: number;
}

/** Maximum number of entries. Older entries are dropped, because a stand-in can run for days. */
const MOST_KEPT = 10_000;

/** Creates a log in memory. It is not part of the state that is saved before each answer. */
export function createRequestLog() {
  let kept: LoggedRequest[] = [];
  return {
    list: (): readonly LoggedRequest[] => structuredClone(kept),
    add: (arrived: Omit<LoggedRequest, 'credits'>): LoggedRequest => {
      const entry = { ...arrived, credits: 0 };
      kept.push(entry);
      if (kept.length > MOST_KEPT) kept.shift();
      return entry;
    },
    clear: () => {
      kept = [];
    },
  };
}
