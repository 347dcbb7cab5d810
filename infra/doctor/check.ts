import type { AlarmSubscriptions } from '#shared/alerts/adapters';
import type { App } from '#shared/app';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { API_VERSION } from '#shared/hubspot';
import { type Clock, commandText, parseJson, SECOND_MS, UpstreamError } from '#shared/kernel';
import type { LaneQueues } from '#shared/work-queue';
import { type Failure, failureOf } from '../local/failure.ts';
import type { RefusedDeliveries } from '../local/spoken-events.ts';
import { filled, type ParamsOf, type TextParams, withoutPeriod } from '../text-row.ts';
import { CHECK_TEXTS } from './texts.ts';

export type CheckCode = keyof typeof CHECK_TEXTS;
export type CheckParams<Code extends CheckCode> = ParamsOf<(typeof CHECK_TEXTS)[Code]>;

export interface Check {
  readonly name: string;
  /** What the check saw, for scripts: the row of `CHECK_TEXTS`. */
  readonly code: CheckCode;
  /** Figures and names, without secrets and personal data. */
  readonly params: TextParams;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly seen: string;
  /** What a person should do. Absent for `ok`. */
  readonly advice?: string;
  readonly fault?: Fault;
}

interface Fault {
  readonly code: string;
  /** HTTP status. Absent if no answer came. */
  readonly status?: number | undefined;
}

export function checkOf<Code extends CheckCode>(
  name: string,
  ...given: [code: Code, params: CheckParams<Code>, fault?: Fault]
): Check {
  return { name, ...seen(...given) };
}

/** Result of a check that was skipped. Another check reports the cause. */
export function notChecked(name: string, { status }: Fault, cause: string): Check {
  return checkOf(name, 'not-checked', { cause, ...(status !== undefined && { status }) });
}

/** What a check has seen: a row of `CHECK_TEXTS` with its parameters. */
export type Seen = Omit<Check, 'name'>;

export function seen<Code extends CheckCode>(code: Code, given: CheckParams<Code>, fault?: Fault): Seen {
  const { verdict, seen: words, advice } = CHECK_TEXTS[code];
  const params = given as TextParams;
  return {
    code,
    params,
    verdict,
    seen: filled(words, params),
    ...(advice !== undefined && { advice: filled(advice, params) }),
    ...(fault && { fault }),
  };
}

/** Codes for failures whose parameters are only the message. */
type SaidCode = {
  [Code in CheckCode]: { readonly said: string } extends CheckParams<Code> ? Code : never;
}[CheckCode];

/** A check of an installation. `Checked` holds what it looks at. */
export interface CheckRow<Checked> {
  readonly name: string;
  /** The code if a service or a setting fails. Absent if the check asks none. */
  readonly failed?: SaidCode;
  readonly see: (checked: Checked) => Seen | Promise<Seen>;
}

/** Runs the checks one after another. A failed check does not hide the others. */
export async function runChecks<Checked>(
  rows: readonly CheckRow<Checked>[],
  checked: Checked,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name, failed, see } of rows) {
    const failing = ({ message }: Failure, error: unknown) => {
      if (failed === undefined) throw error;
      const said = withoutPeriod(message);
      const fault = faultOf(error);
      const ofAccount = fault && codeOfFault(fault);
      return ofAccount
        ? seen(ofAccount, { said, setting: "the setting of HubSpot's address" }, fault)
        : seen(failed, { said }, fault);
    };
    checks.push(await seenBy(name, async () => see(checked), failing));
  }
  return checks;
}

/** Runs a check. A failure of a service or a setting becomes a result. Any other error is a bug and is thrown. */
export async function seenBy(
  name: string,
  see: () => Promise<Seen>,
  failed: (failure: Failure, error: unknown) => Seen,
): Promise<Check> {
  const found = await see().catch((error: unknown) => {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failed(failure, error);
  });
  return { name, ...found };
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

/** The HubSpot app of the access token. Its id separates our writes from those of other apps. */
export interface OwnApp {
  readonly returnedId?: string | undefined;
  readonly settingId?: string | undefined;
  /** Why HubSpot returned no id. */
  readonly problem?: string | undefined;
}

/** An installation that can be checked before it starts. */
export interface Site {
  readonly services: App;
  readonly policy: Policy;
  /** Whether the books belong to a deployed stack. */
  readonly isStack: boolean;
  /** The deployed stack; absent on a laptop. */
  readonly stack?: { readonly name: string; readonly region: string } | undefined;
  readonly dataService: { readonly baseUrl: string };
  readonly hubSpot: { readonly baseUrl: string; readonly accessToken: string };
  readonly clock: Clock;
  /** Sends one request, like the clients do. */
  readonly send: Send;
  /** Reads the app of the access token. Only the first call sends a request to HubSpot. */
  readonly ownApp: () => Promise<OwnApp>;
}

/** A site with its queues and its webhook address. */
export interface WholeSite extends Site {
  /** The data folder, or the name of the stack. */
  readonly path: string;
  readonly queues: LaneQueues;
  /** Whether a worker runs. Without a worker, queued messages wait for the next start. */
  readonly hasWorkers: boolean;
  readonly webhook: Webhook;
  /** Reads the subscriptions of the stack's alarm topic. Absent on a laptop, which has no alarms. */
  readonly alarmSubscriptions?: (() => Promise<AlarmSubscriptions>) | undefined;
}

interface Webhook {
  /** Address for HubSpot's deliveries. Absent if no server listens. */
  readonly publicUrl?: string | undefined;
  readonly clientSecret: string;
  /** Deliveries refused since the last accepted one. Absent for a stack, which counts them in a metric. */
  readonly refused?: RefusedDeliveries | undefined;
}

/**
 * Command as a person types it for this installation. For a stack it names the stack, because a command without a
 * name uses this machine's data.
 */
export function commandFor({ stack }: Pick<Site, 'stack'>, command: string): string {
  return commandText(command, stack?.name);
}

/**
 * Sends a request to HubSpot that only `doctor` needs.
 * @param path contains `{version}`.
 * @param asked body, sent as JSON by `POST`.
 */
export async function askHubSpot(
  { hubSpot, send }: Pick<Site, 'hubSpot' | 'send'>,
  path: string,
  asked?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await send({
    method: asked ? 'POST' : 'GET',
    url: `${hubSpot.baseUrl}${path.replace('{version}', API_VERSION)}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${hubSpot.accessToken}`,
      ...(asked && { 'content-type': 'application/json' }),
    },
    ...(asked && { body: JSON.stringify(asked) }),
    timeoutMs: 10 * SECOND_MS,
  });
  return { status, body: parseJson(body) };
}
