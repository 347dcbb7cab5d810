import type { ObjectType } from '#shared/crm';
import { createMark, type Policy } from '#shared/field-policy';
import { textOf } from '#shared/identity';
import { holdsOurValue, type KeptReason } from '#shared/ownership';
import { knownProperties } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { ownByHistory, withEmptied } from '../write-back/by-history.ts';
import { draftsOf, type WriteDraft } from '../write-back/draft.ts';
import { planWrites, type WritePlan } from '../write-back/plan-writes.ts';
import type { ReadGroup } from './read-group.ts';
import type { ReusableAnswer } from './stored-answer.ts';

/** Effect of a policy on one record's stored answer. */
export interface Effect {
  /** Values to write, by property, without our statuses. */
  readonly writes: Readonly<Record<string, string>>;
  /** Written properties that hold a person's value now. */
  readonly overPeople: readonly string[];
  /** Reason for each value of the answer that is not written. */
  readonly kept: ReadonlyMap<string, KeptReason>;
}

interface Planning {
  readonly objectType: ObjectType;
  readonly answers: readonly ReusableAnswer[];
  readonly read: Pick<ReadGroup, 'now' | 'portal'>;
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

export function effectOf({ digest }: Pick<EnrichmentServices, 'digest'>, planned: WritePlan): Effect {
  const { draft, current, filled, writes, kept = [], ownership } = planned;
  const properties = typeof current === 'string' ? {} : current.properties;
  const mark = createMark({ definitions: draft.held.definitions, hash: digest.keyed });
  const isPeoples = (property: string) => {
    const value = properties[property] ?? '';
    // New choices are added to the existing ones.
    if (value.trim() === '' || writes[property]?.startsWith(';')) return false;
    return !holdsOurValue(ownership, property, mark(property, value));
  };
  return {
    writes: Object.fromEntries(filled.map((property) => [property, writes[property] ?? ''])),
    overPeople: filled.filter(isPeoples),
    kept: new Map(kept.map(({ property, reason }) => [property, reason])),
  };
}
