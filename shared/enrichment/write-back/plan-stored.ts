import type { CrmReading, ObjectType } from '#shared/crm';
import type { Policy } from '#shared/field-policy';
import { textOf } from '#shared/identity';
import type { RecordAnswer } from '../ask/answered.ts';
import { knownProperties, type PortalShape } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { ownByHistory, withEmptied } from './by-history.ts';
import { draftsOf, type WriteDraft } from './draft.ts';
import { planWrites, type WritePlan } from './plan-writes.ts';

interface Planning {
  readonly objectType: ObjectType;
  readonly answers: readonly RecordAnswer[];
  readonly read: { readonly now: CrmReading; readonly portal: PortalShape };
}

/**
 * Plans how a policy would write stored answers over the present values. Uses the worker's own functions. Writes
 * nothing. Reads HubSpot's history if a record has no ownership entries, and before a blank is filled.
 * @returns the plans in the order of the answers.
 */
export async function planStored(
  given: EnrichmentServices,
  policy: Policy,
  { objectType, answers, read: { now, portal } }: Planning,
): Promise<readonly WritePlan[]> {
  const services = { ...given, policy };
  const drafts = await draftsOf(services, answers, portal);
  const { definitions } = portal;
  const basis = { objectType, drafts, now, definitions, recovered: new Map() };
  const recovered = (await ownByHistory(services, basis)) ?? basis.recovered;
  const isKnown = await knownProperties(services, objectType);
  const present = { now, definitions, recovered, isKnown };
  const plan = (draft: WriteDraft) => planWrites(services, draft, present);
  const planned = drafts.map(plan);
  const blanks = new Map(planned.map((writePlan) => [writePlan.draft.held.id, blanksFilled(writePlan)]));
  const held = await withEmptied(
    services,
    planned.map(({ draft }) => draft.held),
    ({ id }) => blanks.get(id) ?? [],
  );
  return planned.map((writePlan, index) => {
    const { draft } = writePlan;
    const known = held[index];
    return known && known !== draft.held ? plan({ ...draft, held: known }) : writePlan;
  });
}

/**
 * Returns blanks that the plan would fill. A person may have emptied them, and we do not know this if the policy names
 * properties that were never read.
 */
function blanksFilled({ current, filled }: WritePlan): string[] {
  return typeof current === 'string' ? [] : filled.filter((property) => !textOf(current, property));
}
