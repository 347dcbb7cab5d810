import { OBJECT_TYPES } from '#shared/crm';
import { accessOf } from './access.ts';
import { type HubSpotAccess, readScopeCheck, tokenCheck } from './access-checks.ts';
import {
  currencyCheck,
  dailyUsageCheck,
  ownAppCheck,
  peopleCheck,
  portalCheck,
  timeZoneCheck,
} from './account-checks.ts';
import { type Check, checkOf, notChecked } from './check.ts';
import { choicesCheck, propertiesCheck, targetsCheck, valueRulesCheck } from './field-checks.ts';
import { installationCheck } from './installation-check.ts';
import { oneFailPerFault } from './one-fault.ts';
import { privacyRulesChecks, rulesCheck } from './rule-checks.ts';
import type { Site } from './site.ts';

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
  /** Result of the token check, which runs before the others. */
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
