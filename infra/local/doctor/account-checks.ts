import { OBJECT_TYPES } from '#shared/crm';
import type { AccountDetails } from '#shared/hubspot';
import { askHubSpot } from './ask-hubspot.ts';
import { type Check, checkOf } from './check.ts';
import { runCheck, runHubSpotCheck } from './run-check.ts';
import { dailyUsageSchema } from './schemas.ts';
import type { Site } from './site.ts';

/** Details of the account; `undefined` if HubSpot did not return them. */
type ReturnedAccount = AccountDetails | undefined;

export function portalCheck({ services }: Site, account: ReturnedAccount): Promise<Check> {
  const name = 'portal';
  return runCheck(name, 'stores-fail', async () => {
    const own = await services.portal.known();
    if (!account) return checkOf(name, 'no-account-details', {});
    if (!own) return checkOf(name, 'no-portal-yet', { portal: account.portalId });
    const { portalId, by } = own;
    return portalId === account.portalId
      ? checkOf(name, 'portal-is-own', { portal: portalId, by })
      : checkOf(name, 'portal-is-another', { own: portalId, by, portal: account.portalId });
  });
}

export function timeZoneCheck({ policy }: Site, account: ReturnedAccount): Check {
  const name = 'time zone';
  if (!account) return checkOf(name, 'no-account-details', {});
  const { timeZone } = account;
  return timeZone === policy.timeZone
    ? checkOf(name, 'time-zone-fits', { timeZone })
    : checkOf(name, 'time-zone-differs', { hubSpot: timeZone, policy: policy.timeZone });
}

/** Warns about decisions that no HubSpot user may make. */
export function peopleCheck({ policy: { people } }: Pick<Site, 'policy'>): Check {
  const name = 'people';
  const lists = (['decide', 'approve', 'resume'] as const)
    .filter((list) => people[list].length === 0)
    .map((list) => `people.${list}`);
  return lists.length === 0 ? checkOf(name, 'people-listed', {}) : checkOf(name, 'nobody-listed', { lists });
}

/**
 * Warns about amounts that are not written. Number properties in HubSpot have no currency, so only amounts in the
 * account's currency are written.
 */
export function currencyCheck({ policy }: Site, account: ReturnedAccount): Check {
  const name = 'currency';
  const amounts = OBJECT_TYPES.flatMap((objectType) =>
    policy.fields[objectType].filter(({ write, currency }) => write !== 'never' && currency !== undefined),
  );
  if (amounts.length === 0) return checkOf(name, 'no-amounts', {});
  const own = account?.companyCurrency;
  if (own === undefined) return checkOf(name, 'currency-unknown', {});
  const notWritten = amounts.flatMap(({ property, currency }) =>
    currency && 'is' in currency && currency.is !== own ? [`${property} (${currency.is})`] : [],
  );
  if (notWritten.length === 0) return checkOf(name, 'currency-fits', { currency: own });
  return checkOf(name, 'currency-differs', { currency: own, notWritten });
}

/** Checks that the app's id is known. Without the id, values that another app wrote count as ours. */
export async function ownAppCheck(site: Site): Promise<Check> {
  const name = 'own app';
  const { returnedId, settingId, problem } = await site.ownApp();
  const setting = site.isStack ? 'hubSpotAppId' : 'HUBSPOT_APP_ID';
  if (returnedId && settingId && returnedId !== settingId)
    return checkOf(name, 'app-is-another', { app: returnedId, setting, set: settingId });
  if (returnedId && !settingId && site.isStack)
    return checkOf(name, 'app-not-set', { app: returnedId, setting });
  if (returnedId) return checkOf(name, 'app-known', { app: returnedId });
  if (settingId) return checkOf(name, 'app-as-set', { app: settingId, setting });
  return checkOf(name, 'app-unknown', { setting, problem });
}

/** Below this share, a backfill would use requests that the customer's other apps need. */
const SCARCE = 0.2;

export function dailyUsageCheck(site: Site): Promise<Check> {
  const name = 'daily requests';
  return runHubSpotCheck(name, 'usage-fails', async () => {
    const path = '/account-info/{version}/api-usage/daily/private-apps';
    const { status, body } = await askHubSpot(site, path);
    const [usage] = (status === 200 && dailyUsageSchema.safeParse(body).data?.results) || [];
    if (!usage) return checkOf(name, 'usage-not-returned', { status });
    const { usageLimit: limit, currentUsage, resetsAt } = usage;
    const left = Math.max(0, limit - currentUsage);
    const code =
      left === 0 ? 'no-requests-left' : left / limit < SCARCE ? 'requests-scarce' : 'requests-left';
    return checkOf(name, code, { left, limit, resetsAt });
  });
}
