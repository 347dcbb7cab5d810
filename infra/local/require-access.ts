import type { App } from '#shared/app';
import { OBJECT_TYPES } from '#shared/crm';
import type { Policy } from '#shared/field-policy';
import type { HubSpotClient } from '#shared/hubspot';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { systemRandom as random } from '#shared/kernel/adapters';
import type { OwnPortal } from '#shared/records';
import { accessOf, KEY_CHECK } from '../doctor/access-checks.ts';
import { accountChecks, oneFailPerFault } from '../doctor/account-checks.ts';
import { askHubSpot, type Check, type OwnApp, runChecks, type Site } from '../doctor/check.ts';
import { BUDGETS, clockCheck, clockChecks } from '../doctor/own-checks.ts';
import { tokenInfoSchema } from '../doctor/schemas.ts';
import { failureOf } from './failure.ts';
import type { ServerClock } from './observed-send.ts';
import { settingsError } from './settings-error.ts';

/** Short, because a person waits at the terminal for the report of an unreachable host. */
const HUBSPOT_RETRY_MS = 5 * SECOND_MS;
/** Long enough for the next minute, because an earlier start can have used up the rate limit of this minute. */
const SLOT_WAIT_MS = 2 * MINUTE_MS;

/**
 * Runs the checks of `doctor` before any spending or writing. Skips the checks of our own properties, because the
 * start creates these.
 * @returns the notes for a person, and the HubSpot account.
 * @throws SettingsError with a line for each problem.
 */
export async function requireAccess(
  site: Site,
  serverClocks: () => readonly ServerClock[],
): Promise<{ readonly portalId: string; readonly notes: readonly Check[] }> {
  const { send, hubSpot, clock } = site;
  const client = createHubSpotClient({ ...hubSpot, send, clock, random, retryForMs: HUBSPOT_RETRY_MS });
  const access = accessOf(site).hubSpot;
  const [key, account] = await Promise.all([
    runChecks([KEY_CHECK], { ...site, waitMs: SLOT_WAIT_MS }),
    accountChecks(site, { ...access, client }),
  ]);
  const budgets = await runChecks([BUDGETS], site);
  const ofAccount = oneFailPerFault(account.token, account.others, access.setBy);
  const checks = [...budgets, clockCheck(site), ...clockChecks(serverClocks()), ...key, ...ofAccount];
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  if (failed.length > 0)
    throw settingsError('checks-failed', {
      checks: failed.map(({ code }) => code),
      text: failed.map(({ seen, advice }) => `${seen}: ${advice}`).join('.\n'),
    });
  return {
    portalId: account.portalId ?? 'unknown',
    notes: checks.filter(({ verdict }) => verdict === 'warn'),
  };
}

/**
 * Checks that the account has all properties of the policy. Values for a missing property would be bought in vain.
 * @throws SettingsError that names the missing properties, before anything is spent.
 */
export async function requireProperties(
  { hubSpot }: Pick<App, 'hubSpot'>,
  {
    policy,
    policyFile = 'the policy',
    isReal,
  }: { policy: Policy; policyFile?: string | undefined; isReal: boolean },
): Promise<void> {
  const lacking = await Promise.all(
    OBJECT_TYPES.map(async (objectType) => {
      // Reads from HubSpot directly. The CRM port has a cache, which can lack our newly created properties.
      const live = (await hubSpot.listProperties(objectType)).filter(({ archived }) => !archived);
      const names = new Set(live.map(({ name }) => name));
      const named = policy.fields[objectType].filter(({ write, optional }) => write !== 'never' && !optional);
      const missing = named.filter(({ property }) => !names.has(property));
      return missing.map(({ property }) => `${property} of ${objectType}`);
    }),
  );
  const properties = [...new Set(lacking.flat())];
  if (properties.length > 0)
    throw settingsError('properties-not-there', { properties, file: policyFile, isReal });
}

const TOKEN_INFO = '/oauth/v2/private-apps/get/access-token-info';

/**
 * Asks HubSpot for the app of the access token. A failure is returned, not thrown, because work can continue without
 * the id.
 */
export async function readOwnApp(
  site: Pick<Site, 'hubSpot' | 'send'>,
  settingId: string | undefined,
): Promise<OwnApp> {
  try {
    const tokenKey = site.hubSpot.accessToken;
    const { status, body } = await askHubSpot(site, TOKEN_INFO, { tokenKey });
    const returnedId = status === 200 ? tokenInfoSchema.safeParse(body).data?.appId : undefined;
    return returnedId
      ? { returnedId, settingId }
      : { settingId, problem: `HubSpot answers with status ${status}` };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { settingId, problem: failure.message.replace(/\.$/, '') };
  }
}

export function appIdOf({ returnedId, settingId }: OwnApp): string | undefined {
  return returnedId ?? settingId;
}

/**
 * Stores the portal's id at the first start. Later starts check that the id is the same. Runs before the first write
 * to HubSpot.
 * @throws SettingsError if the access token belongs to another portal.
 */
export async function settlePortal(services: {
  readonly portal: OwnPortal;
  readonly hubSpot: Pick<HubSpotClient, 'accountDetails'>;
}): Promise<void> {
  const own = await services.portal.learn();
  const { portalId: portal } = await services.hubSpot.accountDetails();
  if (portal !== own.portalId)
    throw settingsError('portal-is-another', { own: own.portalId, by: own.by, portal });
}
