import { UpstreamError } from '#shared/kernel';
import { failureOf } from '../failure.ts';
import { type Check, type Fault, fail } from './check.ts';

/** Runs a check. A failure of a service or setting becomes a failed check. Any other error is a bug and is thrown. */
export async function runCheck(name: string, advice: string, see: () => Promise<Check>): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return fail(name, failure.message.replace(/\.$/, ''), advice, faultOf(error));
  }
}

export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof UpstreamError)) return undefined;
  const { code, status } = error;
  return { code, ...(status !== undefined && { status }) };
}
