import { OBJECT_TYPES } from '#shared/crm';
import type { AccountDetails } from '#shared/hubspot';
import { readMark } from '../local/own-installation.ts';
import {
  accessOf,
  type HubSpotAccess,
  readScopeCheck,
  type ServiceAccess,
  tokenCheck,
} from './access-checks.ts';
import {
  askHubSpot,
  type Check,
  checkOf,
  codeOfFault,
  commandFor,
  notChecked,
  runCheck,
  runHubSpotCheck,
  type Site,
} from './check.ts';
import {
  choicesCheck,
  privacyRulesChecks,
  propertiesCheck,
  rulesCheck,
  targetsCheck,
  valueRulesCheck,
} from './policy-checks.ts';
import { dailyUsageSchema } from './schemas.ts';

/** Runs all checks of the portal that need no write. A failed check does not hide the others. */
export async function hubSpotChecks(site: Site): Promise<Check[]> {
  const access = accessOf(site).hubSpot;
  const { token, others, mayServeOthers } = await accountChecks(site, access);
  if (!mayServeOthers) return [token, ...others];
  const ofTypes = [propertiesCheck, targetsCheck, choicesCheck, valueRulesCheck, rulesCheck].flatMap(
    (check) => OBJECT_TYPES.map((objectType) => check(site, objectType)),
  );
  const ofPrivacy = OBJECT_TYPES.map((objectType) => privacyRulesChecks(site, objectType));
  const rules = [...(await Promise.all(ofTypes)), ...(await Promise.all(ofPrivacy)).flat()];
  const all = [...others, WRITE_SCOPES, await installationCheck(site), ...rules];
  return oneFailPerFault(token, all, access.setBy);
}

/** Checks the token, the account and the read scopes, but not the account's properties. */
export async function accountChecks(
  site: Site,
  access: HubSpotAccess,
): Promise<{
  readonly token: Check;
  readonly others: Check[];
  readonly portalId?: string;
  readonly mayServeOthers: boolean;
}> {
  const { check, details, mayServeOthers } = await tokenCheck(access);
  if (!mayServeOthers) {
    const others = [notChecked('other checks of HubSpot', check.fault ?? { code: check.code }, check.name)];
    return { token: check, others, mayServeOthers };
  }
  const others = [
    await portalCheck(site, details),
    await ownAppCheck(site),
    timeZoneCheck(site, details),
    currencyCheck(site, details),
    peopleCheck(site),
    await dailyUsageCheck(site),
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => readScopeCheck(access, objectType)))),
  ];
  return { token: check, others, mayServeOthers, ...(details && { portalId: details.portalId }) };
}

/**
 * Write scopes are not checked. HubSpot has no call that returns the scopes of a static token, and a test would have
 * to write.
 */
const WRITE_SCOPES = checkOf('write scopes', 'write-scopes-not-checked', {});

/** Details of the account; `undefined` if HubSpot did not return them. */
type ReturnedAccount = AccountDetails | undefined;

function portalCheck({ services }: Site, account: ReturnedAccount): Promise<Check> {
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

function timeZoneCheck({ policy }: Site, account: ReturnedAccount): Check {
  const name = 'time zone';
  if (!account) return checkOf(name, 'no-account-details', {});
  const { timeZone } = account;
  return timeZone === policy.timeZone
    ? checkOf(name, 'time-zone-fits', { timeZone })
    : checkOf(name, 'time-zone-differs', { hubSpot: timeZone, policy: policy.timeZone });
}

/** Warns about decisions that no HubSpot user may make. */
function peopleCheck({ policy: { people } }: Pick<Site, 'policy'>): Check {
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
function currencyCheck({ policy }: Site, account: ReturnedAccount): Check {
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
async function ownAppCheck(site: Site): Promise<Check> {
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

function dailyUsageCheck(site: Site): Promise<Check> {
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

function installationCheck(site: Site): Promise<Check> {
  const name = 'installations';
  return runHubSpotCheck(name, 'mark-fails', async () => {
    const seen = await readMark(site.services);
    if (seen === 'other') return checkOf(name, 'another-installation', {});
    if (seen === 'ours') return checkOf(name, 'only-installation', {});
    return checkOf(name, 'no-mark', { command: commandFor(site, 'setup') });
  });
}

/**
 * Reports each HubSpot fault as one failed check with its remedy. Other checks with the same fault refer to this
 * check.
 * @param token the check of the token, which keeps its own, more specific remedy.
 */
export function oneFailPerFault(
  token: Check,
  others: readonly Check[],
  { address: setting, key }: ServiceAccess['setBy'],
): Check[] {
  const first = new Map<string, Check>(token.fault ? [[token.fault.code, token]] : []);
  const merged = others.map((check) => {
    const { name, verdict, seen: said, fault } = check;
    const code = fault && codeOfFault(fault);
    if (verdict !== 'fail' || !fault || !code) return check;
    const cause = first.get(fault.code);
    if (cause) return notChecked(name, fault, cause.name);
    const remedied = checkOf(name, code, { said, setting, key }, fault);
    first.set(fault.code, remedied);
    return remedied;
  });
  return [token, ...merged];
}
