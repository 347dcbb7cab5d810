import { OBJECT_TYPES, type ObjectType } from '#shared/crm/crm-record.ts';
import { API_VERSION } from '#shared/hubspot/transport.ts';
import type { AccountDetails } from '#shared/hubspot/types.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import { accountMismatch } from '#shared/records/own-portal.ts';
import { figure, percent } from '#shared/spend/figures.ts';
import { readScopeCheck, tokenCheck } from '../../local/access-checks.ts';
import { type Check, fail, ok, warn } from '../../local/check.ts';
import { ensureEnrichmentProperties } from '../../local/prepare-properties.ts';
import type { Connection } from '../connection/connection.ts';
import { accessOf } from './access.ts';
import { look } from './look.ts';
import { dailyUsageSchema } from './schemas.ts';

const SCOPE_ADVICE = 'give the app the scopes of infra/hubspot-app and upload it again';

/** Everything that can be learned about the portal without writing to it. */
export async function hubSpotChecks(connection: Connection): Promise<Check[]> {
  const { hubSpot: access } = accessOf(connection);
  const { check, details } = await tokenCheck(access);
  if (!details) return [check];
  return [
    check,
    await portalCheck(connection, details),
    timeZoneCheck(details, connection),
    await dailyUsageCheck(connection),
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => readScopeCheck(access, objectType)))),
    WRITE_SCOPES,
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => propertiesCheck(connection, objectType)))),
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => targetsCheck(connection, objectType)))),
  ];
}

async function portalCheck({ services }: Connection, account: AccountDetails): Promise<Check> {
  const name = 'portal';
  return look(name, 'see the stores', async () => {
    const own = await services.portal.known();
    if (!own) return ok(name, `none is pinned yet: the first start takes ${account.portalId}`);
    const problem = accountMismatch(own, account);
    if (problem) return fail(name, problem.seen, problem.advice);
    const why = own.by === 'pin' ? 'pinned at the first start' : 'as the setting says';
    return ok(name, `events of ${own.portalId} alone, ${why}`);
  });
}

function timeZoneCheck({ timeZone }: AccountDetails, { policy }: Connection): Check {
  const name = 'time zone';
  if (timeZone === policy.timeZone) return ok(name, `${timeZone}, in HubSpot and in the policy`);
  const advice = `set timeZone: '${timeZone}' in the policy if budgets should begin with HubSpot's days`;
  return warn(name, `the portal counts days in ${timeZone}, the policy in ${policy.timeZone}`, advice);
}

/** Where less is left, a backfill would take it from the customer's other apps. */
const SCARCE = 0.2;

async function dailyUsageCheck({ hubSpot, send }: Connection): Promise<Check> {
  const name = 'daily requests';
  return look(name, 'see the usage of private apps in HubSpot', async () => {
    const response = await send({
      method: 'GET',
      url: `${hubSpot.baseUrl}/account-info/${API_VERSION}/api-usage/daily/private-apps`,
      headers: { accept: 'application/json', authorization: `Bearer ${hubSpot.accessToken}` },
      timeoutMs: 10 * SECOND_MS,
    });
    const parsed = response.status === 200 ? dailyUsageSchema.safeParse(jsonOf(response.body)) : undefined;
    const [usage] = parsed?.data?.results ?? [];
    if (!usage) return warn(name, `HubSpot does not tell (status ${response.status})`, 'try again later');
    const { usageLimit, currentUsage, resetsAt } = usage;
    const left = Math.max(0, usageLimit - currentUsage);
    const until = resetsAt === undefined ? '' : `, reset at ${resetsAt}`;
    const seen = `${figure(left)} of ${figure(usageLimit)} left for all private apps together${until}`;
    if (left === 0) return fail(name, seen, 'wait for the reset, and see which app takes them all');
    const share = left / usageLimit;
    if (share < SCARCE) return warn(name, seen, `only ${percent(share)} is left: no backfill today`);
    return ok(name, seen);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** HubSpot has no call that tells the scopes of a static token, and a probe would have to write. */
const WRITE_SCOPES = warn(
  'write scopes',
  'not checked, because that would need a write',
  'see that the app has crm.objects.*.write and crm.schemas.*.write for contacts and companies, as infra/hubspot-app has; setup needs the latter',
);

function propertiesCheck({ services }: Connection, objectType: ObjectType): Promise<Check> {
  const name = `properties of ${objectType}`;
  return look(name, SCOPE_ADVICE, async () => {
    const { created, revived, optionsAdded, conflicts } = await ensureEnrichmentProperties(services.hubSpot, {
      objectType,
      dryRun: true,
    });
    if (conflicts.length > 0) {
      const seen = conflicts.map((one) => `${one.name}: ${one.reason}`).join('; ');
      return fail(name, seen, 'rename or delete these properties in HubSpot, then run: setup');
    }
    const missing = [...created, ...revived];
    if (missing.length > 0) return fail(name, `missing: ${missing.join(', ')}`, 'run: setup');
    if (optionsAdded.length > 0)
      return fail(name, `options are missing: ${optionsAdded.join(', ')}`, 'run: setup');
    return ok(name, 'all there, and of the right types');
  });
}

/** Rules for properties that the portal does not have, or does not let anybody write, do nothing. */
function targetsCheck({ services, policy }: Connection, objectType: ObjectType): Promise<Check> {
  const name = `policy fields of ${objectType}`;
  return look(name, SCOPE_ADVICE, async () => {
    const definitions = await services.crm.definitions(objectType);
    const targets = policy.fields[objectType].filter(({ write }) => write !== 'never');
    const names = [...new Set(targets.map(({ property }) => property))];
    const missing = names.filter((property) => !definitions.has(property));
    const closed = names.filter((property) => definitions.get(property)?.readOnly);
    if (missing.length + closed.length === 0) return ok(name, `all ${names.length} can be written`);
    const problems = [
      ...(missing.length > 0 ? [`not in the portal: ${missing.join(', ')}`] : []),
      ...(closed.length > 0 ? [`read-only: ${closed.join(', ')}`] : []),
    ];
    return warn(name, problems.join('; '), 'these rules do nothing: create the properties or drop the rules');
  });
}
