export type CheckVerdict = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly verdict: CheckVerdict;
  /** What was seen. No secret, no personal data. */
  readonly seen: string;
  /** What to do; of everything but `ok`. */
  readonly advice?: string;
  /** The failure of a service that was behind it. */
  readonly fault?: Fault;
}

export interface Fault {
  readonly code: string;
  /** Absent where no answer came. */
  readonly status?: number | undefined;
}

export function ok(name: string, seen: string): Check {
  return { name, verdict: 'ok', seen };
}

export function warn(name: string, seen: string, advice: string): Check {
  return { name, verdict: 'warn', seen, advice };
}

export function fail(name: string, seen: string, advice: string, fault?: Fault): Check {
  return { name, verdict: 'fail', seen, advice, ...(fault && { fault }) };
}

/** For a check that could only fail for a reason that another check tells. */
export function notLookedAt(name: string, because: string, cause: string): Check {
  return warn(name, `not checked, because ${because}`, `see the check of "${cause}"`);
}
