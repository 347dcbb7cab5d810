import { UpstreamError } from '#shared/kernel';
import { failureOf } from '../failure.ts';
import { type Check, type Fault, fail } from './check.ts';
import { remedyOf } from './one-fault.ts';

/** Words for the settings of a laptop and of a stack. */
const HUBSPOT_SETTINGS = { address: "the setting of HubSpot's address", key: 'the access token' };

/** Runs a check. A failure of a service or setting becomes a failed check. Any other error is a bug and is thrown. */
export async function runCheck(name: string, advice: string, see: () => Promise<Check>): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const fault = faultOf(error);
    const remedy = (fault && remedyOf(fault, HUBSPOT_SETTINGS)) ?? advice;
    return fail(name, failure.message.replace(/\.$/, ''), remedy, fault);
  }
}

export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof UpstreamError)) return undefined;
  const { code, status } = error;
  return { code, ...(status !== undefined && { status }) };
}
