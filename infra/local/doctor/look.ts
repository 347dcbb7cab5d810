import { failureOf } from '../failure.ts';
import { type Check, fail } from './check.ts';

/** Looks, and makes a failure of the outside, or of the settings, one of the check. Bugs stay bugs. */
export async function look(name: string, advice: string, see: () => Promise<Check>): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return fail(name, failure.message.replace(/\.$/, ''), advice);
  }
}
