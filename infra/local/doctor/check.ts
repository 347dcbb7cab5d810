export type CheckVerdict = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly verdict: CheckVerdict;
  /** What was seen. No secret, no personal data. */
  readonly seen: string;
  /** What to do; of everything but `ok`. */
  readonly advice?: string;
}

export function ok(name: string, seen: string): Check {
  return { name, verdict: 'ok', seen };
}

export function warn(name: string, seen: string, advice: string): Check {
  return { name, verdict: 'warn', seen, advice };
}

export function fail(name: string, seen: string, advice: string): Check {
  return { name, verdict: 'fail', seen, advice };
}
