import { isHubSpotFailure, type RecordName } from '#shared/crm';
import { planRequest } from '#shared/enrichment';
import type { Connection } from '../../connection/connection.ts';
import { enrichmentServices } from './record-plan.ts';

/**
 * Name of the rule that applies to the record's present values.
 * @returns `undefined` if the policy has no rules for the object type, or HubSpot does not return the record.
 */
export async function ruleNow(connection: Connection, name: RecordName): Promise<string | undefined> {
  try {
    const planned = await planRequest(await enrichmentServices(connection), name);
    return 'read' in planned ? planned.read.admission.rule : undefined;
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    return undefined;
  }
}

/** The rule that applied when the record was last read and, if it differs, the rule that applies now. */
export function ruleLines(last: string | undefined, now: string | undefined): readonly string[] {
  if (last === undefined) return now === undefined ? [] : [`Rule: ${now}, by its present values.`];
  if (now === undefined || now === last) return [`Rule: ${last}.`];
  return [`Rule: ${last}, when the record was last read. By its present values, it is now: "${now}".`];
}
