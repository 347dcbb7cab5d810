import type { HubSpotFailureCode, ObjectType } from '#shared/crm';
import type { AccountDetails, HubSpotClient } from '#shared/hubspot';
import { UpstreamError } from '#shared/kernel';
import { DataServiceError } from '#shared/vendor';
import { askForKey } from '../local/own-installation.ts';
import { withoutPeriod } from '../text-row.ts';
import { type Check, type CheckRow, checkOf, codeOfFault, faultOf, type Site, seen } from './check.ts';

/** The settings of the address and the key: a stack sets addresses at deployment and keys as secrets. */
const SETTINGS = {
  stack: {
    dataService: { address: 'dataServiceBaseUrl', key: "the stack's secret data-service-api-key" },
    hubSpot: { address: 'hubSpotBaseUrl', key: "the stack's secret hubspot-access-token" },
  },
  environment: {
    dataService: { address: 'DATA_SERVICE_BASE_URL', key: 'DATA_SERVICE_API_KEY' },
    hubSpot: { address: 'HUBSPOT_BASE_URL', key: 'HUBSPOT_ACCESS_TOKEN' },
  },
} as const;

export function accessOf({ services, dataService, hubSpot, isStack }: Site) {
  const setBy = SETTINGS[isStack ? 'stack' : 'environment'];
  return {
    dataService: { address: dataService.baseUrl, setBy: setBy.dataService },
    hubSpot: { address: hubSpot.baseUrl, setBy: setBy.hubSpot, client: services.hubSpot },
  };
}

export const HUBSPOT_URL = 'https://api.hubapi.com';

/** Address of a service, and the settings that a person changes to correct it. */
export interface ServiceAccess {
  readonly address: string;
  readonly setBy: { readonly address: string; readonly key: string };
}

export interface HubSpotAccess extends ServiceAccess {
  readonly client: Pick<HubSpotClient, 'accountDetails' | 'readBatch'>;
}

interface AskingSite extends Site {
  /** Longest wait for a slot of the rate limit. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Checks that the address leads to the data service and that the service accepts the key. Uses the free key check. */
export const KEY_CHECK: CheckRow<AskingSite> = {
  name: 'data service key',
  failed: 'stores-fail',
  see: async (site) => {
    const { address, setBy } = accessOf(site).dataService;
    const { key, address: setting } = setBy;
    try {
      const answer = await askForKey(site);
      if (answer.kind === 'later') return seen('requests-used-up', { address });
      const { id, name, user_id } = answer.owner;
      if (id ?? name ?? user_id) return seen('key-accepted', { workspace: id as string | undefined });
      return seen('not-the-data-service', { address, setting, status: undefined });
    } catch (error) {
      if (!(error instanceof DataServiceError)) throw error;
      const { code, status, vendorText = '' } = error;
      if (code === 'DATA_SERVICE_NOT_SENT')
        return seen('data-service-unreachable', { address, setting, cause: connectionCause(error) });
      if (code === 'DATA_SERVICE_UNAUTHORIZED')
        return /api key/i.test(vendorText)
          ? seen('key-refused', { address, key })
          : seen('key-refused-by-stranger', { address, key, setting });
      if (FOREIGN.has(code)) return seen('not-the-data-service', { address, setting, status });
      return seen('data-service-fails', { address, setting, said: withoutPeriod(error.message) });
    }
  },
};

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

interface TokenChecked {
  readonly check: Check;
  readonly details?: AccountDetails;
  /** Whether other requests with this token may still succeed. */
  readonly mayServeOthers: boolean;
}

/** Checks that the address leads to HubSpot and that HubSpot accepts the token. Reads the account details. */
export async function tokenCheck(access: HubSpotAccess): Promise<TokenChecked> {
  try {
    const details = await access.client.accountDetails();
    const check = checkOf(TOKEN, 'token-accepted', { portal: details.portalId });
    return { check, details, mayServeOthers: true };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { check: tokenFault(access, error), mayServeOthers: OF_ONE_REQUEST.has(error.code) };
  }
}

const OF_ONE_REQUEST: ReadonlySet<string> = new Set<HubSpotFailureCode>([
  'HUBSPOT_FORBIDDEN',
  'HUBSPOT_CONFLICT',
  'HUBSPOT_INVALID_REQUEST',
  'HUBSPOT_LOCKED',
  'HUBSPOT_UNAVAILABLE',
]);

const TOKEN = 'HubSpot token';

function tokenFault({ address, setBy }: ServiceAccess, error: UpstreamError): Check {
  const { key, address: setting } = setBy;
  const { code, status, requestId, message } = error;
  const fault = faultOf(error);
  const said = withoutPeriod(message);
  // Every response of HubSpot has a request id.
  const isHubSpot = requestId !== undefined || address === HUBSPOT_URL;
  if (code === 'HTTP_NOT_SENT')
    return checkOf(TOKEN, 'hubspot-unreachable', { address, setting, cause: connectionCause(error) }, fault);
  if (code === 'HUBSPOT_FORBIDDEN' && isHubSpot)
    return checkOf(TOKEN, 'token-lacks-scope', { address, said, key }, fault);
  if (code === 'HUBSPOT_UNAUTHORIZED' && isHubSpot)
    return checkOf(TOKEN, 'token-refused', { address, status, key }, fault);
  if (NOT_OF_HUBSPOT.has(code)) return checkOf(TOKEN, 'not-hubspot', { address, status, setting }, fault);
  return checkOf(TOKEN, codeOfFault(error) ?? 'hubspot-fails', { address, said, setting, key }, fault);
}

/** Failures that show another server. The first two do so only if the answer may be of another server. */
const NOT_OF_HUBSPOT: ReadonlySet<string> = new Set<HubSpotFailureCode>([
  'HUBSPOT_FORBIDDEN',
  'HUBSPOT_UNAUTHORIZED',
  'HUBSPOT_UNREADABLE_ANSWER',
  'HUBSPOT_NOT_FOUND',
  'HUBSPOT_INVALID_REQUEST',
]);

/** Any id will do, because the read also succeeds if the record does not exist. */
const SOME_ID = '1';

export async function readScopeCheck(access: HubSpotAccess, objectType: ObjectType): Promise<Check> {
  const scope = `crm.objects.${objectType}.read`;
  const name = `scope ${scope}`;
  const { address, client, setBy } = access;
  try {
    await client.readBatch({ objectType, ids: [SOME_ID], properties: ['hs_object_id'] });
    return checkOf(name, 'reads-allowed', {});
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const fault = faultOf(error);
    if (error.code === 'HUBSPOT_FORBIDDEN')
      return checkOf(name, 'scope-missing', { address, scope, key: setBy.key }, fault);
    const said = withoutPeriod(error.message);
    return checkOf(name, 'hubspot-fails', { address, said, setting: setBy.address }, fault);
  }
}

/** Our own codes, which do not name the cause of a failed connection. */
const NOT_SENT: ReadonlySet<string> = new Set(['HTTP_NOT_SENT', 'DATA_SERVICE_NOT_SENT']);

/** @returns the Node code of a failed connection. */
function connectionCause(error: Error): string {
  const codes = causesOf(error).flatMap((each) =>
    'code' in each && typeof each.code === 'string' && !NOT_SENT.has(each.code) ? [each.code] : [],
  );
  return codes.at(-1) ?? 'unknown';
}

function causesOf(error: Error): Error[] {
  return error.cause instanceof Error ? [error, ...causesOf(error.cause)] : [error];
}
