import { UpstreamError } from '#shared/kernel/errors.ts';
import { type Check, fail } from '../../local/check.ts';
import { CliError } from '../terminal/exit.ts';

/** Looks, and makes a failure of the outside, or of the settings, one of the check. Bugs stay bugs. */
export async function look(name: string, advice: string, see: () => Promise<Check>): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    const isExpected = error instanceof UpstreamError || error instanceof CliError || isOfAws(error);
    if (!isExpected) throw error;
    return fail(name, error.message, advice);
  }
}

/** The SDK's own errors carry what was asked with which result. */
function isOfAws(error: unknown): error is Error {
  return error instanceof Error && '$metadata' in error;
}
