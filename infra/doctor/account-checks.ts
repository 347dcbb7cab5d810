import { OBJECT_TYPES } from '#shared/crm';
import type { AccountDetails } from '#shared/hubspot';
import { readMark } from '../local/own-installation.ts';
import { accessOf, type HubSpotAccess, readScopeCheck, tokenCheck } from './access-checks.ts';
import {
  askHubSpot,
  type Check,
  type CheckRow,
  checkOf,
  codeOfFault,
  commandFor,
  notChecked,
  runChecks,
  type Site,
  seen,
} from './check.ts';
import { POLICY_CHECKS, privacyRules, propertiesCheck, rulesOfWhom } from './policy-checks.ts';
import { dailyUsageSchema } from './schemas.ts';

/** Runs all checks of the portal that need no write. A failed check does not hide the others. */
export async function hubSpotChecks(site: Site): Promise<Check[]> {
  const access = accessOf(site).hubSpot;
  const { token, others, mayServeOthers } = await accountChecks(site, access);
  if (!mayServeOthers) return [token, ...others];
  const ofTypes = [propertiesCheck, ...POLICY_CHECKS, rulesOfWhom].flatMap((row) => OBJECT_TYPES.map(row));
  const ofPrivacy = OBJECT_TYPES.flatMap((objectType) => privacyRules(site, objectType));
  const rest = await runChecks([INSTALLATIONS, ...ofTypes, ...ofPrivacy], site);
  return oneFailPerFault(token, [...others, WRITE_SCOPES, ...rest], access.setBy);
}

/** Checks the token, the account and the read scopes, but not the account's properties. */
export async function accountChecks(site: Site, access: HubSpotAccess) {
  const { check, details, mayServeOthers } = await tokenCheck(access);
  if (!mayServeOthers) {
    const others = [notChecked('other checks of HubSpot', check.fault ?? { code: check.code }, check.name)];
    return { token: check, others, mayServeOthers, portalId: undefined };
  }
  const others = [
    ...(await runChecks(ACCOUNT_CHECKS, { ...site, account: details })),
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => readScopeCheck(access, objectType)))),
  ];
  return { token: check, others, mayServeOthers, portalId: details?.portalId };
}

/**
 * Write scopes are not checked. HubSpot has no call that returns the scopes of a static token, and a test would have
 * to write.
 */
const WRITE_SCOPES = checkOf('write scopes', 'write-scopes-not-checked', {});

interface SiteOfAccount extends Site {
  /** Details of the account; `undefined` if HubSpot did not return them. */
  readonly account: AccountDetails | undefined;
}

/** Below this share, a backfill would use requests that the customer's other apps need. */
const SCARCE = 0.2;

const ACCOUNT_CHECKS: readonly CheckRow<SiteOfAccount>[] = [
  {
    name: 'portal',
    failed: 'stores-fail',
    see: async ({ services, account }) => {
      const own = await services.portal.known();
      if (!account) return seen('no-account-details', {});
      if (!own) return seen('no-portal-yet', { portal: account.portalId });
      const { portalId, by } = own;
      return portalId === account.portalId
        ? seen('portal-is-own', { portal: portalId, by })
        : seen('portal-is-another', { own: portalId, by, portal: account.portalId });
    },
  },
  {
    /** Without the id of our app, values that another app wrote count as ours. */
    name: 'own app',
    see: async (site) => {
      const { returnedId, settingId, problem } = await site.ownApp();
      const setting = site.isStack ? 'hubSpotAppId' : 'HUBSPOT_APP_ID';
      if (returnedId && settingId && returnedId !== settingId)
        return seen('app-is-another', { app: returnedId, setting, set: settingId });
      if (returnedId && !settingId && site.isStack) return seen('app-not-set', { app: returnedId, setting });
      if (returnedId) return seen('app-known', { app: returnedId });
      if (settingId) return seen('app-as-set', { app: settingId, setting });
      return seen('app-unknown', { setting, problem });
    },
  },
  {
    name: 'time zone',
    see: ({ policy, account }) => {
      if (!account) return seen('no-account-details', {});
      const { timeZone } = account;
      return timeZone === policy.timeZone
        ? seen('time-zone-fits', { timeZone })
        : seen('time-zone-differs', { hubSpot: timeZone, policy: policy.timeZone });
    },
  },
  {
    /** Number properties in HubSpot have no currency, so only amounts in the account's currency are written. */
    name: 'currency',
    see: ({ policy, account }) => {
      const amounts = OBJECT_TYPES.flatMap((objectType) => policy.fields[objectType]).filter(
        ({ write, currency }) => write !== 'never' && currency !== undefined,
      );
      if (amounts.length === 0) return seen('no-amounts', {});
      const own = account?.companyCurrency;
      if (own === undefined) return seen('currency-unknown', {});
      const notWritten = amounts.flatMap(({ property, currency }) =>
        currency && 'is' in currency && currency.is !== own ? [`${property} (${currency.is})`] : [],
      );
      return notWritten.length === 0
        ? seen('currency-fits', { currency: own })
        : seen('currency-differs', { currency: own, notWritten });
    },
  },
  {
    /** Decisions that no HubSpot user may make. */
    name: 'people',
    see: ({ policy: { people } }) => {
      const lists = (['decide', 'approve', 'resume'] as const)
        .filter((list) => people[list].length === 0)
        .map((list) => `people.${list}`);
      return lists.length === 0 ? seen('people-listed', {}) : seen('nobody-listed', { lists });
    },
  },
  {
    name: 'daily requests',
    failed: 'usage-fails',
    see: async (site) => {
      const path = '/account-info/{version}/api-usage/daily/private-apps';
      const { status, body } = await askHubSpot(site, path);
      const [usage] = (status === 200 && dailyUsageSchema.safeParse(body).data?.results) || [];
      if (!usage) return seen('usage-not-returned', { status });
      const { usageLimit: limit, currentUsage, resetsAt } = usage;
      const left = Math.max(0, limit - currentUsage);
      const isScarce = left / limit < SCARCE;
      const code = left === 0 ? 'no-requests-left' : isScarce ? 'requests-scarce' : 'requests-left';
      return seen(code, { left, limit, resetsAt });
    },
  },
];

const INSTALLATIONS: CheckRow<Site> = {
  name: 'installations',
  failed: 'mark-fails',
  see: async (site) => {
    const mark = await readMark(site.services);
    if (mark === 'other') return seen('another-installation', {});
    if (mark === 'ours') return seen('only-installation', {});
    return seen('no-mark', { command: commandFor(site, 'setup') });
  },
};

/**
 * Reports each HubSpot fault as one failed check with its remedy. Other checks with the same fault refer to this
 * check.
 * @param token the check of the token, which keeps its own, more specific remedy.
 */
export function oneFailPerFault(
  token: Check,
  others: readonly Check[],
  { address: setting, key }: HubSpotAccess['setBy'],
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
