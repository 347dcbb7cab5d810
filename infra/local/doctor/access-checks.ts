import type { HubSpotFailureCode, ObjectType } from '#shared/crm';
import { DataServiceError, type Workspace } from '#shared/data-service';
import type { AccountDetails, HubSpotClient } from '#shared/hubspot';
import { UpstreamError } from '#shared/kernel';
import { askForKey, type KeyAsking } from '../key-check.ts';
import { type Check, fail, ok } from './check.ts';
import { remedyOf } from './one-fault.ts';
import { faultOf } from './run-check.ts';

export const HUBSPOT_URL = 'https://api.hubapi.com';

/** Names of the settings in the environment; a stack has other names. */
export const ENVIRONMENT = {
  dataService: { address: 'DATA_SERVICE_BASE_URL', key: 'DATA_SERVICE_API_KEY' },
  hubSpot: { address: 'HUBSPOT_BASE_URL', key: 'HUBSPOT_ACCESS_TOKEN' },
} as const;

/** Address of a service, and the settings that a person changes to correct it. */
export interface ServiceAccess {
  readonly address: string;
  readonly setBy: {
    /** Name of the setting of its address. */
    readonly address: string;
    /** Name of the setting of its key or token. */
    readonly key: string;
  };
}

export interface HubSpotAccess extends ServiceAccess {
  readonly client: Pick<HubSpotClient, 'accountDetails' | 'readBatch'>;
}

/** Checks that the address leads to the data service and that the service accepts the key. Uses the free key check. */
export async function dataServiceCheck(access: ServiceAccess, asking: KeyAsking): Promise<Check> {
  const { address, setBy } = access;
  try {
    const answer = await askForKey(asking);
    if (answer.kind === 'later')
      return fail(KEY_CHECK, `${address} takes no more requests this minute`, 'retry in a minute');
    if (!isWorkspace(answer.workspace))
      return fail(KEY_CHECK, ...notTheDataService(access, 'without a workspace'));
    return ok(KEY_CHECK, `accepted, workspace ${answer.workspace.id}`);
  } catch (error) {
    if (!(error instanceof DataServiceError)) throw error;
    if (error.code === 'DATA_SERVICE_NOT_SENT')
      return fail(
        KEY_CHECK,
        unreachable(address, error),
        `set ${setBy.address} to the address of the data service`,
      );
    if (error.code === 'DATA_SERVICE_UNAUTHORIZED') return fail(KEY_CHECK, ...refusedKey(access, error));
    if (FOREIGN.has(error.code))
      return fail(KEY_CHECK, ...notTheDataService(access, `with status ${error.status}`));
    return fail(KEY_CHECK, failing(address, error), `try again later, or see ${setBy.address}`);
  }
}

export const KEY_CHECK = 'data service key';

/**
 * Error codes that show another server. The data service answers the free key check only with success, 401, 429 or
 * 5xx.
 */
const FOREIGN: ReadonlySet<string> = new Set([
  'DATA_SERVICE_MALFORMED_ANSWER',
  'DATA_SERVICE_WRONG_ADDRESS',
  'DATA_SERVICE_UNEXPECTED_STATUS',
  'DATA_SERVICE_BAD_REQUEST',
  'DATA_SERVICE_INSUFFICIENT_CREDITS',
  'DATA_SERVICE_NOT_FOUND',
]);

function isWorkspace({ id, name, user_id }: Workspace): boolean {
  return id !== undefined || name !== undefined || user_id !== undefined;
}

type Finding = readonly [seen: string, advice: string];

function notTheDataService({ address, setBy }: ServiceAccess, how: string): Finding {
  return [
    `${address} answers ${how}, but not as the data service does`,
    `set ${setBy.address} to the address of the data service`,
  ];
}

function refusedKey({ address, setBy }: ServiceAccess, { vendorText = '' }: DataServiceError): Finding {
  const advice = `set ${setBy.key} to an active key`;
  if (/api key/i.test(vendorText)) return [`${address} refuses the key`, advice];
  const seen = `${address} answers with status 401, but without the data service's text for a wrong key`;
  return [seen, `${advice}, and see that ${setBy.address} is the address of the data service`];
}

export interface TokenChecked {
  readonly check: Check;
  readonly details?: AccountDetails;
  /** Whether other requests with this token may still succeed. */
  readonly mayServeOthers: boolean;
}

/** Checks that the address leads to HubSpot and that HubSpot accepts the token. Reads the account details. */
export async function tokenCheck(access: HubSpotAccess): Promise<TokenChecked> {
  try {
    const details = await access.client.accountDetails();
    return {
      check: ok(TOKEN, `accepted by portal ${details.portalId}`),
      details,
      mayServeOthers: true,
    };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const check = fail(TOKEN, ...tokenFinding(access, error), faultOf(error));
    return { check, mayServeOthers: OF_ONE_REQUEST.has(error.code) };
  }
}

/** Faults of a single request; other requests may succeed. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set<HubSpotFailureCode>([
  'HUBSPOT_FORBIDDEN',
  'HUBSPOT_CONFLICT',
  'HUBSPOT_INVALID_REQUEST',
  'HUBSPOT_LOCKED',
  'HUBSPOT_UNAVAILABLE',
]);

const TOKEN = 'HubSpot token';

function tokenFinding({ address, setBy }: ServiceAccess, error: UpstreamError): Finding {
  const addressAdvice = `set ${setBy.address} to HubSpot's address, or unset it`;
  const advice = `set ${setBy.key} to the token of the app's Auth tab`;
  // Every response of HubSpot has a request id.
  const isHubSpot = error.requestId !== undefined || address === HUBSPOT_URL;
  switch (error.code) {
    case 'HTTP_NOT_SENT':
      return [unreachable(address, error), `see the network, and ${setBy.address}`];
    case 'HUBSPOT_FORBIDDEN':
      if (isHubSpot) return [failing(address, error), scopesAdvice(setBy)];
      break;
    case 'HUBSPOT_UNAUTHORIZED':
      if (isHubSpot) return [`${address} refuses the token with status ${error.status}`, advice];
      break;
    case 'HUBSPOT_UNREADABLE_ANSWER':
    case 'HUBSPOT_NOT_FOUND':
    case 'HUBSPOT_INVALID_REQUEST':
      break;
    default:
      return [failing(address, error), remedyOf(error, setBy) ?? `try again later, or see ${setBy.address}`];
  }
  return [`${address} answers with status ${error.status}, but not as HubSpot does`, addressAdvice];
}

/** Any id will do, because the read also succeeds if the record does not exist. */
const SOME_ID = '1';

export async function readScopeCheck(access: HubSpotAccess, objectType: ObjectType): Promise<Check> {
  const scope = `crm.objects.${objectType}.read`;
  const name = `scope ${scope}`;
  const { address, client, setBy } = access;
  try {
    await client.readBatch({ objectType, ids: [SOME_ID], properties: ['hs_object_id'] });
    return ok(name, 'reads are allowed');
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (error.code !== 'HUBSPOT_FORBIDDEN')
      return fail(name, failing(address, error), `try again later, or see ${setBy.address}`, faultOf(error));
    const seen = `${address} refuses reads because the token lacks the scope ${scope}`;
    return fail(name, seen, scopesAdvice(setBy), faultOf(error));
  }
}

function scopesAdvice(setBy: ServiceAccess['setBy']): string {
  return `give the app of ${setBy.key} the scopes of infra/hubspot-app and upload it again`;
}

function unreachable(address: string, error: Error): string {
  return `${address} cannot be reached, because ${connectionCause(error)}`;
}

/** Embeds the client's message in a sentence. */
function failing(address: string, { message }: Error): string {
  return `${address} does not work: ${message.replace(/\.$/, '')}`;
}

/** Our own codes, which do not name the cause of a failed connection. */
const NOT_SENT: ReadonlySet<string> = new Set(['HTTP_NOT_SENT', 'DATA_SERVICE_NOT_SENT']);

/** Explains a failed connection by the Node codes in the error's causes. */
function connectionCause(error: Error): string {
  const codes = causesOf(error).flatMap((each) =>
    'code' in each && typeof each.code === 'string' && !NOT_SENT.has(each.code) ? [each.code] : [],
  );
  const known = WORDS.find(([pattern]) => codes.some((code) => pattern.test(code)));
  return known?.[1] ?? codes.at(-1) ?? 'for an unknown reason';
}

const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(?:ENOTFOUND|EAI_)/, 'its name does not resolve'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|HTTP_TIMEOUT)$/, 'no answer came in time'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'there is no route to it'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, 'its certificate is not accepted'],
  [/SSL|^EPROTO$/, 'it does not speak TLS'],
];

function causesOf(error: Error): Error[] {
  return error.cause instanceof Error ? [error, ...causesOf(error.cause)] : [error];
}
