/** One request as it came in, and what it came to: a witness beside the bill, which only adds up. */
export interface LoggedRequest {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  readonly body?: string;
  /** What it was charged. */
  credits: number;
  /** Absent while unknown. */
  status?: number;
  /** What kind of fault befell it. */
  fault?: string;
  /** When the answer had left; absent where none did. */
  answeredAtMs?: number;
}

/** Newer ones push out the oldest: a stand-in may run for days. */
const MOST_KEPT = 10_000;

/** Lives as long as the process: no part of the state, which is saved before each answer. */
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
