import { OBJECT_TYPES } from '#shared/crm';
import type { AccountDetails } from '#shared/hubspot';
import { figure, percent } from '#shared/kernel';
import { accountMismatch } from '#shared/records';
import { askHubSpot } from './ask-hubspot.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { runCheck } from './run-check.ts';
import { dailyUsageSchema } from './schemas.ts';
import type { Site } from './site.ts';

/** Details of the account; `undefined` if HubSpot did not return them. */
type ReturnedAccount = AccountDetails | undefined;

const NO_DETAILS = 'HubSpot does not return the details of the account';
const NO_DETAILS_ADVICE = 'see the check of the HubSpot token';

export async function portalCheck({ services }: Site, account: ReturnedAccount): Promise<Check> {
  const name = 'portal';
  return runCheck(name, 'see the stores', async () => {
    const own = await services.portal.known();
    if (!account) return warn(name, NO_DETAILS, NO_DETAILS_ADVICE);
    if (!own) return ok(name, `no account is set yet: the first start uses ${account.portalId}`);
    const problem = accountMismatch(own, account);
    if (problem) return fail(name, problem.seen, problem.advice);
    const why = own.by === 'pin' ? 'set at the first start' : 'as the setting says';
    return ok(name, `events of ${own.portalId} alone, ${why}`);
  });
}

export function timeZoneCheck({ policy }: Site, account: ReturnedAccount): Check {
  const name = 'time zone';
  if (!account) return warn(name, NO_DETAILS, NO_DETAILS_ADVICE);
  const { timeZone } = account;
  if (timeZone === policy.timeZone) return ok(name, `${timeZone}, in HubSpot and in the policy`);
  const advice = `set timeZone: '${timeZone}' in the policy if budget days should be HubSpot's days`;
  return warn(name, `HubSpot's days are in ${timeZone}, the policy's in ${policy.timeZone}`, advice);
}

const OWN_PROPERTY = 'to keep them, add fields without `currency` that write to your own properties';

/**
 * Warns about amounts that are not written. Number properties in HubSpot have no currency, so only amounts in the
 * account's currency are written.
 */
export function currencyCheck({ policy }: Site, account: ReturnedAccount): Check {
  const name = 'currency';
  const amounts = OBJECT_TYPES.flatMap((objectType) =>
    policy.fields[objectType].filter(({ write, currency }) => write !== 'never' && currency !== undefined),
  );
  if (amounts.length === 0) return ok(name, 'the policy writes no amounts');
  const own = account?.companyCurrency;
  if (own === undefined) return warn(name, `${NO_DETAILS}: no amount is written`, NO_DETAILS_ADVICE);
  const foreign = amounts.flatMap(({ property, currency }) =>
    currency && 'is' in currency && currency.is !== own ? [`${property} (${currency.is})`] : [],
  );
  if (foreign.length === 0) return ok(name, `${own}; amounts in another currency are not written`);
  const seen = `the account's currency is ${own}: not written: ${foreign.join(', ')}; other amounts only if they are in ${own}`;
  return warn(name, seen, OWN_PROPERTY);
}

const UNKNOWN_APP = "HubSpot's history then cannot tell our writes from those of other apps";

/** Checks that the app's id is known. Without the id, values that another app wrote count as ours. */
export async function ownAppCheck(site: Site): Promise<Check> {
  const name = 'own app';
  const { returnedId, settingId, problem = '' } = await site.ownApp();
  const setBy = site.isStack ? 'hubSpotAppId' : 'HUBSPOT_APP_ID';
  if (returnedId && settingId && returnedId !== settingId) {
    const seen = `${setBy} is ${settingId}, but the access token belongs to app ${returnedId}`;
    return fail(name, seen, `set ${setBy} to ${returnedId}`);
  }
  if (returnedId && !settingId && site.isStack) {
    const seen = `the functions do not know it, because ${setBy} is not set: ${UNKNOWN_APP}`;
    return warn(name, seen, `deploy with -c ${setBy}=${returnedId}`);
  }
  if (returnedId) return ok(name, `app ${returnedId}, as HubSpot says`);
  if (settingId) return ok(name, `app ${settingId}, as ${setBy} says; HubSpot does not say`);
  const advice = `set ${setBy} to the app's id, which HubSpot shows on the app's Auth tab`;
  return warn(name, `not known, because ${problem}: ${UNKNOWN_APP}`, advice);
}

/** Below this share, a backfill would use requests that the customer's other apps need. */
const SCARCE = 0.2;

export function dailyUsageCheck(site: Site): Promise<Check> {
  const name = 'daily requests';
  return runCheck(name, 'see the usage of private apps in HubSpot', async () => {
    const path = '/account-info/{version}/api-usage/daily/private-apps';
    const { status, body } = await askHubSpot(site, path);
    const [usage] = (status === 200 && dailyUsageSchema.safeParse(body).data?.results) || [];
    if (!usage) return warn(name, `HubSpot does not return it (status ${status})`, 'try again later');
    const { usageLimit, currentUsage, resetsAt } = usage;
    const left = Math.max(0, usageLimit - currentUsage);
    const until = resetsAt === undefined ? '' : `, reset at ${resetsAt}`;
    const seen = `${figure(left)} of ${figure(usageLimit)} left for all private apps together${until}`;
    if (left === 0) return fail(name, seen, 'wait for the reset, and find the app that uses them all');
    const share = left / usageLimit;
    if (share < SCARCE) return warn(name, seen, `only ${percent(share)} is left: no backfill today`);
    return ok(name, seen);
  });
}
