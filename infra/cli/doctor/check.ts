import { OutsideError } from '../../../shared/kernel/errors.ts';
import { CliError } from '../exit.ts';

export type Verdict = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
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

/** Looks, and makes a failure of the outside, or of the settings, one of the check. Bugs stay bugs. */
export async function look(name: string, advice: string, see: () => Promise<Check>): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    const isExpected = error instanceof OutsideError || error instanceof CliError || isOfAws(error);
    if (!isExpected) throw error;
    return fail(name, error.message, advice);
  }
}

/** The SDK's own errors carry what was asked with which result. */
function isOfAws(error: unknown): error is Error {
  return error instanceof Error && '$metadata' in error;
}
