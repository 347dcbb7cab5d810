import { type Check, type Fault, notChecked } from './check.ts';

/** Names of the settings that a person changes. */
interface Settings {
  readonly address: string;
  readonly key: string;
}

/** Remedies for faults of the whole account or of the network. Other faults concern one request. */
const REMEDIES: Readonly<Record<string, (setBy: Settings) => string>> = {
  HUBSPOT_UNAUTHORIZED: ({ key }) => `set ${key} to the token of the app's Auth tab`,
  HUBSPOT_RATE_LIMIT: () =>
    'wait a minute and try again; if it fails again, find the app that uses all requests of the account',
  HUBSPOT_DAILY_LIMIT: () =>
    'wait for midnight in the time zone of the account, and find the app that uses all requests',
  HUBSPOT_UNAVAILABLE: laterAdvice,
  HUBSPOT_LOCKED: laterAdvice,
  HUBSPOT_MIGRATING: laterAdvice,
  HTTP_NOT_SENT: networkAdvice,
  HTTP_TIMEOUT: networkAdvice,
};

function laterAdvice({ address }: Settings): string {
  return `try again later, or see ${address}`;
}

function networkAdvice({ address }: Settings): string {
  return `see the network, and ${address}`;
}

/**
 * Reports each HubSpot fault as one failed check with its remedy. Other checks with the same fault refer to this
 * check.
 * @param token the check of the token, which keeps its own, more specific remedy.
 */
export function oneFailPerFault(token: Check, others: readonly Check[], setBy: Settings): Check[] {
  const first = new Map<string, Check>(token.fault ? [[token.fault.code, token]] : []);
  const merged = others.map((check) => {
    const { name, verdict, fault } = check;
    const advice = fault && remedyOf(fault, setBy);
    if (verdict !== 'fail' || !fault || !advice) return check;
    const cause = first.get(fault.code);
    if (cause) return notChecked(name, faultWords(fault), cause.name);
    first.set(fault.code, check);
    return { ...check, advice };
  });
  return [token, ...merged];
}

/** @returns the remedy, or `undefined` for a fault that concerns only one request. */
export function remedyOf({ code }: Fault, setBy: Settings): string | undefined {
  return REMEDIES[code]?.(setBy);
}

/** `HubSpot answered 429` */
export function faultWords({ status }: Fault): string {
  return status === undefined ? 'HubSpot did not answer' : `HubSpot answered ${status}`;
}
