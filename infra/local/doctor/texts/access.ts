import { NO_PARAMS } from '../../text-row.ts';
import { fail, ok, warn } from './verdict.ts';

/** A fault of a service. `said` is the message of its client; `address` is known where the service is asked first. */
const FAILING = {
  said: 'HubSpot answers with status 503',
  setting: 'HUBSPOT_BASE_URL',
  address: 'https://api.hubapi.com',
} as { readonly said: string; readonly setting: string; readonly key?: string; readonly address?: string };

/** Results of the checks of addresses, keys and scopes. */
export const ACCESS_TEXTS = {
  'key-accepted': ok(
    { workspace: '17' as string | undefined },
    ({ workspace = 'unnamed' }) => `accepted, workspace ${workspace}`,
  ),
  'requests-used-up': fail(
    { address: 'https://data.example' },
    ({ address }) => `${address} takes no more requests this minute`,
    'retry in a minute',
  ),
  'key-refused': fail(
    { address: 'https://data.example', key: 'DATA_SERVICE_API_KEY' },
    ({ address }) => `${address} refuses the key`,
    ({ key }) => `set ${key} to an active key`,
  ),
  'key-refused-by-stranger': fail(
    { address: 'https://data.example', key: 'DATA_SERVICE_API_KEY', setting: 'DATA_SERVICE_BASE_URL' },
    ({ address }) =>
      `${address} answers with status 401, but without the data service's text for a wrong key`,
    ({ key, setting }) =>
      `set ${key} to an active key, and see that ${setting} is the address of the data service`,
  ),
  'not-the-data-service': fail(
    { address: 'https://data.example', setting: 'DATA_SERVICE_BASE_URL', status: 404 as number | undefined },
    ({ address, status }) =>
      `${address} answers ${status === undefined ? 'without a workspace' : `with status ${status}`}, but not as the data service does`,
    ({ setting }) => `set ${setting} to the address of the data service`,
  ),
  'data-service-unreachable': fail(
    { address: 'https://data.example', setting: 'DATA_SERVICE_BASE_URL', cause: 'ECONNREFUSED' },
    unreachable,
    ({ setting }) => `set ${setting} to the address of the data service`,
  ),
  'data-service-fails': fail(FAILING, failing, later),
  'token-accepted': ok({ portal: '24170001' }, ({ portal }) => `accepted by portal ${portal}`),
  'token-refused': fail(
    { address: 'https://api.hubapi.com', status: 401 as number | undefined, key: 'HUBSPOT_ACCESS_TOKEN' },
    ({ address, status }) => `${address} refuses the token with status ${status}`,
    tokenAdvice,
  ),
  'token-lacks-scope': fail(
    { address: 'https://api.hubapi.com', said: 'the app lacks the scope oauth', key: 'HUBSPOT_ACCESS_TOKEN' },
    failing,
    scopesAdvice,
  ),
  'not-hubspot': fail(
    { address: 'https://data.example', status: 404 as number | undefined, setting: 'HUBSPOT_BASE_URL' },
    ({ address, status }) => `${address} answers with status ${status}, but not as HubSpot does`,
    ({ setting }) => `set ${setting} to HubSpot's address, or unset it`,
  ),
  'hubspot-unreachable': fail(
    { address: 'https://api.hubapi.com', setting: 'HUBSPOT_BASE_URL', cause: 'ENOTFOUND' },
    unreachable,
    network,
  ),
  'hubspot-fails': fail(FAILING, failing, later),
  'hubspot-silent': fail(FAILING, failing, network),
  'hubspot-limit': fail(
    FAILING,
    failing,
    'wait a minute and try again; if it fails again, find the app that uses all requests of the account',
  ),
  'hubspot-daily-limit': fail(
    FAILING,
    failing,
    'wait for midnight in the time zone of the account, and find the app that uses all requests',
  ),
  'hubspot-refuses-token': fail(FAILING, failing, tokenAdvice),
  'hubspot-wrong-data-centre': fail(
    FAILING,
    failing,
    ({ key = 'the access token' }) =>
      `create a new token in the account, whose data centre may have changed, and set ${key}`,
  ),
  'hubspot-refuses-read': fail(
    { said: 'HubSpot answers with status 403' },
    failing,
    'give the app the scopes of infra/hubspot-app and upload it again',
  ),
  'reads-allowed': ok(NO_PARAMS, 'reads are allowed'),
  'scope-missing': fail(
    { address: 'https://api.hubapi.com', scope: 'crm.objects.contacts.read', key: 'HUBSPOT_ACCESS_TOKEN' },
    ({ address, scope }) => `${address} refuses reads because the token lacks the scope ${scope}`,
    scopesAdvice,
  ),
  'not-checked': warn(
    { cause: 'HubSpot token', status: 429 } as { readonly cause: string; readonly status?: number },
    ({ status }) =>
      `not checked, because HubSpot ${status === undefined ? 'did not answer' : `answered ${status}`}`,
    ({ cause }) => `see the check of "${cause}"`,
  ),
  'write-scopes-not-checked': warn(
    NO_PARAMS,
    'not checked, because that would need a write',
    'see that the app has crm.objects.*.write and crm.schemas.*.write for contacts and companies, as infra/hubspot-app has',
  ),
};

function failing({ said, address }: { readonly said: string; readonly address?: string }): string {
  return address === undefined ? said : `${address} does not work: ${said}`;
}

function later({ setting }: { readonly setting: string }): string {
  return `try again later, or see ${setting}`;
}

function network({ setting }: { readonly setting: string }): string {
  return `see the network, and ${setting}`;
}

function tokenAdvice({ key = 'the access token' }: { readonly key?: string }): string {
  return `set ${key} to the token of the app's Auth tab`;
}

function scopesAdvice({ key }: { readonly key: string }): string {
  return `give the app of ${key} the scopes of infra/hubspot-app and upload it again`;
}

function unreachable({ address, cause }: { readonly address: string; readonly cause: string }): string {
  const known = CAUSES.find(([pattern]) => pattern.test(cause));
  return `${address} cannot be reached, because ${known?.[1] ?? cause}`;
}

/** Causes of failed connections, by Node's codes. */
const CAUSES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(?:ENOTFOUND|EAI_)/, 'its name does not resolve'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|HTTP_TIMEOUT)$/, 'no answer came in time'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 'there is no route to it'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, 'its certificate is not accepted'],
  [/SSL|^EPROTO$/, 'it does not speak TLS'],
  [/^unknown$/, 'for an unknown reason'],
];
