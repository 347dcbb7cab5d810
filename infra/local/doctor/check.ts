export type CheckVerdict = 'ok' | 'warn' | 'fail';

/** Result of one check. */
export interface Check {
  readonly name: string;
  readonly verdict: CheckVerdict;
  /** What the check saw, without secrets and personal data. */
  readonly seen: string;
  /** What a person should do. Absent for `ok`. */
  readonly advice?: string;
  /** Failure of a service that caused this result. */
  readonly fault?: Fault;
}

export interface Fault {
  readonly code: string;
  /** HTTP status. Absent if no answer came. */
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

/** Result of a check that was skipped. Another check reports the cause. */
export function notChecked(name: string, because: string, cause: string): Check {
  return warn(name, `not checked, because ${because}`, `see the check of "${cause}"`);
}
