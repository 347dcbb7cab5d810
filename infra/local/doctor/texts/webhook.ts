import { counted } from '#shared/kernel';
import { NO_PARAMS } from '../../text-row.ts';
import { fail, ok, warn } from './verdict.ts';

const ANSWERED = { url: 'https://crm.example/hubspot', status: 500 };
const FAILED = { url: 'https://crm.example/hubspot', said: 'https://crm.example does not answer' };
const WEBHOOKS_FILE = 'infra/hubspot-app/src/app/webhooks/webhooks-hsmeta.json';
const NEEDED = { needed: ['contact lifecyclestage'], lacking: ['contact lifecyclestage'] };

/** What to do if HubSpot's deliveries are refused because of their signatures. */
export const REFUSED_ADVICE =
  "set HUBSPOT_CLIENT_SECRET to the client secret of the app's Auth tab, and WEBHOOK_PUBLIC_URL to the address that HubSpot has";

/** Results of the checks of what HubSpot calls: the webhook, the card and the action. */
export const WEBHOOK_TEXTS = {
  'no-webhook-address': warn(
    NO_PARAMS,
    'no webhook reaches this installation',
    'set WEBHOOK_PUBLIC_URL for webhooks; without it, the sweep finds new records while the system runs',
  ),
  'webhook-fails': fail(FAILED, ({ said }) => said, webhookAdvice),
  'webhook-answered': fail(
    ANSWERED,
    ({ url, status }) => `${url} answered ${status} instead of 200`,
    webhookAdvice,
  ),
  'webhook-secret-differs': fail(
    { url: 'https://crm.example/hubspot' },
    ({ url }) => `${url} refuses our signature: it has another secret or another address`,
    "set HUBSPOT_CLIENT_SECRET to the client secret of the app's Auth tab, and the same public address, on both sides",
  ),
  'webhook-takes-forged': fail(
    ANSWERED,
    ({ url, status }) => `${url} answered ${status} to a wrong signature instead of 401`,
    'a proxy before the receiver answers in its place, or signatures are not checked',
  ),
  'webhook-answers': ok(
    { url: 'https://crm.example/hubspot' },
    ({ url }) => `${url} takes signed deliveries and refuses others; see that HubSpot has this address`,
  ),
  'deliveries-refused': fail(
    { count: 2, reason: 'wrong-signature', since: '2026-10-20T12:00:00Z', last: '2026-10-20T12:05:00Z' },
    ({ count, reason, since, last }) =>
      `${counted(count, 'delivery')} refused since ${since}, the last at ${last}, and none accepted since: ${reason}`,
    REFUSED_ADVICE,
  ),
  'subscriptions-not-checked': warn(
    NO_PARAMS,
    'not checked: no access token can read the subscriptions of an app',
    `in HubSpot, see at the app's Webhooks that contact.privacyDeletion is active, as in ${WEBHOOKS_FILE}`,
  ),
  'subscriptions-needed': warn(
    { needed: NEEDED.needed },
    neededWords,
    `in HubSpot, see at the app's Webhooks that contact.privacyDeletion and these changes are active; if not, upload the app`,
  ),
  'subscriptions-lacking': warn(
    NEEDED,
    (params) => `${neededWords(params)}; the file lacks ${params.lacking.join(', ')}`,
    `run npm run deploy, or add them to ${WEBHOOKS_FILE}, and upload the app`,
  ),
  'app-unreachable': warn(
    NO_PARAMS,
    'HubSpot cannot reach this installation',
    'set WEBHOOK_PUBLIC_URL, so that the card can reach the service',
  ),
  'account-unknown': warn(NO_PARAMS, 'not checked: the account is not known yet', 'run setup first'),
  'app-fails': fail(FAILED, ({ said }) => said, appAdvice),
  'app-answered': fail(
    { ...ANSWERED, path: '/records/contacts/0' },
    ({ url, path, status }) => `${url}${path} answered ${status} instead of 200`,
    appAdvice,
  ),
  'app-takes-forged': fail(
    { url: 'https://crm.example/hubspot', statuses: [200, 401] },
    ({ url, statuses }) => `${url} answered ${statuses.join(' and ')} to wrong signatures instead of 401`,
    'a proxy before the function answers in its place',
  ),
  'app-answers': ok(
    { url: 'https://crm.example/hubspot' },
    ({ url }) => `both answer under ${url}/, to HubSpot only; see that the app names this address`,
  ),
};

function webhookAdvice({ url }: { readonly url: string }): string {
  return `see that the system runs and that ${url} leads to it`;
}

function appAdvice({ url }: { readonly url: string }): string {
  return `check that ${url}/ and all paths below it lead to this installation`;
}

function neededWords({ needed }: { readonly needed: readonly string[] }): string {
  return `not checked, because no access token can: the policy's rules need changes of ${needed.join(', ')}`;
}
