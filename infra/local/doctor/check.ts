export type CheckVerdict = 'ok' | 'warn' | 'fail';

/** Result of one check. */
export interface Check {
  readonly name: string;
  readonly verdict: CheckVerdict;
  /** Observation. No secret, no personal data. */
  readonly seen: string;
  /** Remedy; absent for `ok`. */
  readonly advice?: string;
  /** Failure of a service that caused this. */
  readonly fault?: Fault;
}

export interface Fault {
  readonly code: string;
  /** Absent if no answer came. */
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

/** A check that was skipped, because another check reports the cause. */
export function notChecked(name: string, because: string, cause: string): Check {
  return warn(name, `not checked, because ${because}`, `see the check of "${cause}"`);
}
