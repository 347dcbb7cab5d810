import type { Services } from '#shared/composition/services.aws.ts';
import { OBJECT_TYPES } from '#shared/crm/crm-record.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Send } from '#shared/http/http-request.ts';
import { createHubSpotClient } from '#shared/hubspot/hubspot-client.ts';
import { systemClock as clock } from '#shared/kernel/clock.system.ts';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { systemRandom as random } from '#shared/kernel/random.system.ts';
import { dataServiceCheck, ENVIRONMENT, HUBSPOT_URL, readScopeCheck, tokenCheck } from './access-checks.ts';
import type { Check } from './check.ts';
import { SettingsError } from './settings.ts';
import type { Vendors } from './vendors.ts';

interface Given {
  readonly services: Pick<Services, 'questions' | 'dataService'>;
  readonly vendors: Pick<Vendors, 'dataService' | 'hubSpot'>;
  readonly send: Send;
}

/** Somebody waits at the terminal: a host that is not there is told of in seconds. */
const HUBSPOT_PATIENCE_MS = 5 * SECOND_MS;
/** An earlier start may have used up the minute. */
const SLOT_PATIENCE_MS = 2 * MINUTE_MS;

/** @throws SettingsError with a sentence, on a line of its own, for each thing that stands in the way. */
export async function requireAccess(given: Given): Promise<void> {
  const checks = (await Promise.all([dataServiceChecks(given), hubSpotChecks(given)])).flat();
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  if (failed.length === 0) return;
  throw new SettingsError(failed.map(({ seen, advice }) => `${seen}: ${advice}.`).join('\n'));
}

/**
 * A property that the policy names and the account lacks would be paid for in vain.
 * @throws SettingsError that names all of them, before anything is spent.
 */
export async function requireProperties(
  { hubSpot }: Pick<Services, 'hubSpot'>,
  { policy, policyFile }: { policy: Policy; policyFile: string },
): Promise<void> {
  const lacking = await Promise.all(
    OBJECT_TYPES.map(async (objectType) => {
      // Not by the port, which would remember the account as it was before our own properties were made.
      const live = (await hubSpot.listProperties(objectType)).filter(({ archived }) => !archived);
      const names = new Set(live.map(({ name }) => name));
      const named = policy.fields[objectType].filter(({ write, optional }) => write !== 'never' && !optional);
      const missing = named.filter(({ property }) => !names.has(property));
      return missing.map(({ property }) => `${property} of ${objectType}`);
    }),
  );
  const names = [...new Set(lacking.flat())].join(', ');
  if (names === '') return;
  throw new SettingsError(
    `The policy writes ${names}, which your HubSpot account does not have: create it there, or take it out of ${policyFile}.`,
  );
}

async function dataServiceChecks({ services, vendors }: Given): Promise<Check[]> {
  const access = { address: vendors.dataService.baseUrl, setBy: ENVIRONMENT.dataService };
  return [await dataServiceCheck(access, { services, waitMs: SLOT_PATIENCE_MS })];
}

async function hubSpotChecks({ vendors: { hubSpot }, send }: Given): Promise<Check[]> {
  const client = createHubSpotClient({ ...hubSpot, send, clock, random, retryForMs: HUBSPOT_PATIENCE_MS });
  const access = { client, address: hubSpot.baseUrl ?? HUBSPOT_URL, setBy: ENVIRONMENT.hubSpot };
  const { check, mayServeOthers } = await tokenCheck(access);
  if (!mayServeOthers) return [check];
  return [
    check,
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => readScopeCheck(access, objectType)))),
  ];
}
