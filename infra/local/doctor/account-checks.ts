import { OBJECT_TYPES } from '#shared/crm';
import type { AccountDetails } from '#shared/hubspot';
import { figure, percent } from '#shared/kernel';
import { accountMismatch } from '#shared/records';
import { askHubSpot } from './ask-hubspot.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { look } from './look.ts';
import { dailyUsageSchema } from './schemas.ts';
import type { Site } from './site.ts';

/** What HubSpot tells of the account, where it tells of it. */
type Told = AccountDetails | undefined;

const UNTOLD = 'HubSpot does not return the details of the account';
const UNTOLD_ADVICE = 'see the check of the HubSpot token';

export async function portalCheck({ services }: Site, account: Told): Promise<Check> {
  const name = 'portal';
  return look(name, 'see the stores', async () => {
    const own = await services.portal.known();
    if (!account) return warn(name, UNTOLD, UNTOLD_ADVICE);
    if (!own) return ok(name, `no account is set yet: the first start uses ${account.portalId}`);
    const problem = accountMismatch(own, account);
    if (problem) return fail(name, problem.seen, problem.advice);
    const why = own.by === 'pin' ? 'set at the first start' : 'as the setting says';
    return ok(name, `events of ${own.portalId} alone, ${why}`);
  });
}

export function timeZoneCheck({ policy }: Site, account: Told): Check {
  const name = 'time zone';
  if (!account) return warn(name, UNTOLD, UNTOLD_ADVICE);
  const { timeZone } = account;
  if (timeZone === policy.timeZone) return ok(name, `${timeZone}, in HubSpot and in the policy`);
  const advice = `set timeZone: '${timeZone}' in the policy if budgets should begin with HubSpot's days`;
  return warn(name, `HubSpot's days are in ${timeZone}, the policy's in ${policy.timeZone}`, advice);
}

const OWN_PROPERTY = 'to keep them, add fields without `currency` that write to your own properties';

/** HubSpot's numbers carry no currency: what is in another than the account's own is not written. */
export function currencyCheck({ policy }: Site, account: Told): Check {
  const name = 'currency';
  const amounts = OBJECT_TYPES.flatMap((objectType) =>
    policy.fields[objectType].filter(({ write, currency }) => write !== 'never' && currency !== undefined),
  );
  if (amounts.length === 0) return ok(name, 'the policy writes no amounts');
  const own = account?.companyCurrency;
  if (own === undefined) return warn(name, `${UNTOLD}: no amount is written`, UNTOLD_ADVICE);
  const foreign = amounts.flatMap(({ property, currency }) =>
    currency && 'is' in currency && currency.is !== own ? [`${property} (${currency.is})`] : [],
  );
  if (foreign.length === 0) return ok(name, `${own}; amounts in another currency are not written`);
  const seen = `the account's currency is ${own}: not written: ${foreign.join(', ')}; other amounts only if they are in ${own}`;
  return warn(name, seen, OWN_PROPERTY);
}

const UNKNOWN_APP = "HubSpot's history then cannot tell our writes from those of other apps";

/** Without the app's id, values that another app wrote count as ours. */
export async function ownAppCheck(site: Site): Promise<Check> {
  const name = 'own app';
  const { told, setting, untold = '' } = await site.ownApp();
  const setBy = site.isStack ? 'hubSpotAppId' : 'HUBSPOT_APP_ID';
  if (told && setting && told !== setting) {
    const seen = `${setBy} is ${setting}, but the access token belongs to app ${told}`;
    return fail(name, seen, `set ${setBy} to ${told}`);
  }
  if (told && !setting && site.isStack) {
    const seen = `the functions do not know it, because ${setBy} is not set: ${UNKNOWN_APP}`;
    return warn(name, seen, `deploy with -c ${setBy}=${told}`);
  }
  if (told) return ok(name, `app ${told}, as HubSpot says`);
  if (setting) return ok(name, `app ${setting}, as ${setBy} says; HubSpot does not say`);
  const advice = `set ${setBy} to the app's id, which HubSpot shows on the app's Auth tab`;
  return warn(name, `not known, because ${untold}: ${UNKNOWN_APP}`, advice);
}

/** Where less is left, a backfill would take it from the customer's other apps. */
const SCARCE = 0.2;

export function dailyUsageCheck(site: Site): Promise<Check> {
  const name = 'daily requests';
  return look(name, 'see the usage of private apps in HubSpot', async () => {
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
