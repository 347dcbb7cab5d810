import { alarmMailProblem } from '#shared/alerts/adapters';
import { figure, percent } from '#shared/kernel';
import { accountMismatch } from '#shared/records';
import { NO_PARAMS } from '../../text-row.ts';
import { fail, ok, warn } from './verdict.ts';

const PORTAL = { own: '1', by: 'pin', portal: '2' } as {
  readonly own: string;
  readonly by: 'pin' | 'setting';
  readonly portal: string;
};

const LEFT = { left: 500, limit: 1_000, resetsAt: '2026-10-21T00:00:00Z' } as {
  readonly left: number;
  readonly limit: number;
  readonly resetsAt?: string | undefined;
};

const ALARM_MAIL = {
  topicArn: 'arn:aws:sns:eu-central-1:123456789012:crm-alarms',
  confirmed: 0,
  pending: 1,
};
const ALARM_MAIL_TEXTS = [
  (params: typeof ALARM_MAIL) => alarmMailProblem(params)?.seen ?? '',
  (params: typeof ALARM_MAIL) => alarmMailProblem(params)?.advice ?? '',
] as const;

/** Results of the checks of the HubSpot account, of our app in it, and of the stack's alarm mail. */
export const ACCOUNT_TEXTS = {
  'no-account-details': warn(
    NO_PARAMS,
    'HubSpot does not return the details of the account',
    'see the check of the HubSpot token',
  ),
  'no-portal-yet': ok(
    { portal: '24170001' },
    ({ portal }) => `no account is set yet: the first start uses ${portal}`,
  ),
  'portal-is-own': ok(
    { portal: '24170001', by: 'pin' as 'pin' | 'setting' },
    ({ portal, by }) =>
      `events of ${portal} alone, ${by === 'pin' ? 'set at the first start' : 'as the setting says'}`,
  ),
  'portal-is-another': fail(
    PORTAL,
    (params) => mismatchOf(params)?.seen ?? '',
    (params) => mismatchOf(params)?.advice ?? '',
  ),
  'time-zone-fits': ok(
    { timeZone: 'Europe/Berlin' },
    ({ timeZone }) => `${timeZone}, in HubSpot and in the policy`,
  ),
  'time-zone-differs': warn(
    { hubSpot: 'America/New_York', policy: 'Europe/Berlin' },
    ({ hubSpot, policy }) => `HubSpot's days are in ${hubSpot}, the policy's in ${policy}`,
    ({ hubSpot }) => `set timeZone: '${hubSpot}' in the policy if budget days should be HubSpot's days`,
  ),
  'people-listed': ok(NO_PARAMS, 'HubSpot users are listed who may approve, decide and resume'),
  'nobody-listed': warn(
    { lists: ['people.approve', 'people.resume'] },
    ({ lists }) => `no HubSpot user is listed in ${lists.join(', ')}: only the command line can do it`,
    'add the ids of HubSpot users to these lists of the policy; Settings > Users in HubSpot shows them',
  ),
  'no-amounts': ok(NO_PARAMS, 'the policy writes no amounts'),
  'currency-unknown': warn(
    NO_PARAMS,
    'HubSpot does not return the details of the account: no amount is written',
    'see the check of the HubSpot token',
  ),
  'currency-fits': ok(
    { currency: 'EUR' },
    ({ currency }) => `${currency}; amounts in another currency are not written`,
  ),
  'currency-differs': warn(
    { currency: 'EUR', notWritten: ['total_money_raised (USD)'] },
    ({ currency, notWritten }) =>
      `the account's currency is ${currency}: not written: ${notWritten.join(', ')}; other amounts only if they are in ${currency}`,
    'to keep them, add fields without `currency` that write to your own properties',
  ),
  'app-known': ok({ app: '5100' }, ({ app }) => `app ${app}, as HubSpot says`),
  'app-as-set': ok(
    { app: '5100', setting: 'HUBSPOT_APP_ID' },
    ({ app, setting }) => `app ${app}, as ${setting} says; HubSpot does not say`,
  ),
  'app-is-another': fail(
    { app: '5100', setting: 'HUBSPOT_APP_ID', set: '5200' },
    ({ app, setting, set }) => `${setting} is ${set}, but the access token belongs to app ${app}`,
    ({ app, setting }) => `set ${setting} to ${app}`,
  ),
  'app-not-set': warn(
    { app: '5100', setting: 'hubSpotAppId' },
    ({ setting }) =>
      `the functions do not know it, because ${setting} is not set, so other apps' writes count as ours`,
    ({ app, setting }) => `deploy with -c ${setting}=${app}`,
  ),
  'app-unknown': warn(
    { setting: 'HUBSPOT_APP_ID', problem: 'HubSpot answers with status 404' as string | undefined },
    ({ problem = '' }) => `not known, because ${problem}: other apps' writes count as ours`,
    ({ setting }) => `set ${setting} to the app's id, which HubSpot shows on the app's Auth tab`,
  ),
  'usage-not-returned': warn(
    { status: 404 },
    ({ status }) => `HubSpot does not return it (status ${status})`,
    'try again later',
  ),
  'usage-fails': fail(
    { said: 'HubSpot answers with status 403' },
    ({ said }) => said,
    'see the usage of private apps in HubSpot',
  ),
  'requests-left': ok(LEFT, requestsLeft),
  'requests-scarce': warn(
    LEFT,
    requestsLeft,
    ({ left, limit }) => `only ${percent(left / limit)} is left: no backfill today`,
  ),
  'no-requests-left': fail(LEFT, requestsLeft, 'wait for the reset, and find the app that uses them all'),
  'only-installation': ok(NO_PARAMS, 'no other installation was set up on this account later'),
  'another-installation': warn(
    NO_PARAMS,
    'another installation of this program was set up on this HubSpot account: both buy and write the same records',
    'stop the other one (Ctrl-C on a laptop, npm run destroy for a stack) if it still runs, then run setup here',
  ),
  'no-mark': warn(
    { command: 'setup' },
    'this installation has left no mark in the account yet',
    ({ command }) => `run: ${command}`,
  ),
  'mark-fails': fail(
    { said: 'HubSpot answers with status 403' },
    ({ said }) => said,
    'see the check of the HubSpot token',
  ),
  'alarm-mail-confirmed': ok({ confirmed: 1 }, ({ confirmed }) => `confirmed subscriptions: ${confirmed}`),
  'no-alarm-mail': warn({ ...ALARM_MAIL, pending: 0 }, ...ALARM_MAIL_TEXTS),
  'alarm-mail-unconfirmed': warn({ ...ALARM_MAIL, confirmed: 1 }, ...ALARM_MAIL_TEXTS),
  'alarm-mail-reaches-nobody': fail(ALARM_MAIL, ...ALARM_MAIL_TEXTS),
  'alarm-mail-not-checked': warn(
    { said: 'AWS refused the request (AuthorizationError)' },
    ({ said }) => `not checked: ${said}`,
    'give your AWS role the permission sns:ListSubscriptionsByTopic',
  ),
};

function mismatchOf({ own, by, portal }: typeof PORTAL) {
  return accountMismatch({ portalId: own, by }, { portalId: portal });
}

function requestsLeft({ left, limit, resetsAt }: typeof LEFT): string {
  const until = resetsAt === undefined ? '' : `, reset at ${resetsAt}`;
  return `${figure(left)} of ${figure(limit)} left for all private apps together${until}`;
}
