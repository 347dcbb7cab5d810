import { UpstreamError } from '#shared/kernel';
import { type Failure, failureOf } from '../failure.ts';
import { type Check, type CheckCode, type CheckParams, checkOf, type Fault } from './check.ts';

/** Codes for failures whose parameters are only the message. */
export type SaidCode = {
  [Code in CheckCode]: { readonly said: string } extends CheckParams<Code> ? Code : never;
}[CheckCode];

/** Runs a check. A failure of a service or setting becomes a failed check. Any other error is a bug and is thrown. */
export function runCheck(name: string, failed: SaidCode, see: () => Promise<Check>): Promise<Check> {
  return checkOrFailure(see, ({ message }) => checkOf(name, failed, { said: withoutPeriod(message) }));
}

/** Runs a check that asks HubSpot. A failure of the whole account has its own remedy. */
export function runHubSpotCheck(name: string, failed: SaidCode, see: () => Promise<Check>): Promise<Check> {
  return checkOrFailure(see, ({ message }, error) => {
    const said = withoutPeriod(message);
    const fault = faultOf(error);
    const ofAccount = fault && codeOfFault(fault);
    return ofAccount
      ? checkOf(name, ofAccount, { said, setting: "the setting of HubSpot's address" }, fault)
      : checkOf(name, failed, { said }, fault);
  });
}

/** Runs a check, and makes another check of a failure. */
export async function checkOrFailure(
  see: () => Promise<Check>,
  failed: (failure: Failure, error: unknown) => Check,
): Promise<Check> {
  try {
    return await see();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failed(failure, error);
  }
}

export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof UpstreamError)) return undefined;
  const { code, status } = error;
  return { code, ...(status !== undefined && { status }) };
}

/** Faults of the whole account or of the network. Other faults concern one request. */
const OF_ACCOUNT = {
  HUBSPOT_UNAUTHORIZED: 'hubspot-refuses-token',
  HUBSPOT_WRONG_DATA_CENTRE: 'hubspot-wrong-data-centre',
  HUBSPOT_RATE_LIMIT: 'hubspot-limit',
  HUBSPOT_DAILY_LIMIT: 'hubspot-daily-limit',
  HUBSPOT_UNAVAILABLE: 'hubspot-fails',
  HUBSPOT_LOCKED: 'hubspot-fails',
  HUBSPOT_MIGRATING: 'hubspot-fails',
  HTTP_NOT_SENT: 'hubspot-silent',
  HTTP_TIMEOUT: 'hubspot-silent',
} as const satisfies Readonly<Record<string, CheckCode>>;

/** @returns `undefined` for a fault that concerns only one request. */
export function codeOfFault({ code }: Pick<Fault, 'code'>) {
  return (OF_ACCOUNT as Readonly<Record<string, (typeof OF_ACCOUNT)[keyof typeof OF_ACCOUNT]>>)[code];
}

export function withoutPeriod(text: string): string {
  return text.replace(/\.$/, '');
}
