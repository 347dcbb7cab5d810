import { type Check, type Fault, notLookedAt } from './check.ts';

/** Names of the settings that a person would change. */
interface Settings {
  readonly address: string;
  readonly key: string;
}

/** A fault of the whole account or of the way to HubSpot, with its remedy. Other faults belong to one request. */
const REMEDIES: Readonly<Record<string, (setBy: Settings) => string>> = {
  HUBSPOT_UNAUTHORIZED: ({ key }) => `set ${key} to the token of the app's Auth tab`,
  HUBSPOT_RATE_LIMIT: () =>
    'wait a minute and run doctor again; if it fails again, find the app that uses all requests of the account',
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
 * One fault of HubSpot is one failed check with the right remedy; the others with the same fault point to it.
 * @param token the check of the token, which has looked closer and keeps its remedy.
 */
export function oneFailPerFault(token: Check, others: readonly Check[], setBy: Settings): Check[] {
  const first = new Map<string, Check>(token.fault ? [[token.fault.code, token]] : []);
  const told = others.map((check) => {
    const { name, verdict, fault } = check;
    const advice = fault && remedyOf(fault, setBy);
    if (verdict !== 'fail' || !fault || !advice) return check;
    const cause = first.get(fault.code);
    if (cause) return notLookedAt(name, faultWords(fault), cause.name);
    first.set(fault.code, check);
    return { ...check, advice };
  });
  return [token, ...told];
}

/** The remedy of such a fault; nothing for others. */
export function remedyOf({ code }: Fault, setBy: Settings): string | undefined {
  return REMEDIES[code]?.(setBy);
}

/** `HubSpot answered 429` */
export function faultWords({ status }: Fault): string {
  return status === undefined ? 'HubSpot did not answer' : `HubSpot answered ${status}`;
}
