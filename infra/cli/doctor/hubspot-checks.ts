import { OBJECT_TYPES } from '#shared/crm/crm-record.ts';
import { readScopeCheck, tokenCheck } from '../../local/access-checks.ts';
import { type Check, warn } from '../../local/check.ts';
import type { Connection } from '../connection/connection.ts';
import { accessOf } from './access.ts';
import { currencyCheck, dailyUsageCheck, portalCheck, timeZoneCheck } from './account-checks.ts';
import { choicesCheck, propertiesCheck, targetsCheck, valueRulesCheck } from './field-checks.ts';

/** Everything that can be learned about the portal without writing to it; one failure hides no other. */
export async function hubSpotChecks(connection: Connection): Promise<Check[]> {
  const { hubSpot: access } = accessOf(connection);
  const { check, details, mayServeOthers } = await tokenCheck(access);
  if (!mayServeOthers) return [check];
  const ofTypes = [propertiesCheck, targetsCheck, choicesCheck, valueRulesCheck].flatMap((look) =>
    OBJECT_TYPES.map((objectType) => look(connection, objectType)),
  );
  return [
    check,
    await portalCheck(connection, details),
    timeZoneCheck(connection, details),
    currencyCheck(connection, details),
    await dailyUsageCheck(connection),
    ...(await Promise.all(OBJECT_TYPES.map((objectType) => readScopeCheck(access, objectType)))),
    WRITE_SCOPES,
    ...(await Promise.all(ofTypes)),
  ];
}

/** HubSpot has no call that tells the scopes of a static token, and a probe would have to write. */
const WRITE_SCOPES = warn(
  'write scopes',
  'not checked, because that would need a write',
  'see that the app has crm.objects.*.write and crm.schemas.*.write for contacts and companies, as infra/hubspot-app has; setup needs the latter',
);
