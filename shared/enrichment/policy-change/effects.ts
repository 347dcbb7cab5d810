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

/** What a policy makes of the stored answer about one record. */
export interface Effect {
  /** By property what would be written; our statuses left out. */
  readonly writes: Readonly<Record<string, string>>;
  /** Of these the properties whose value is a person's, and would be written over. */
  readonly overPeople: readonly string[];
  /** By property why a value of the answer is not written. */
  readonly kept: ReadonlyMap<string, KeptReason>;
  /** Properties whose value fits nothing of the portal. */
  readonly unfit: readonly string[];
  /** Why nothing of the answer, or nothing of its employer, is written, for a person. */
  readonly refused?: string | undefined;
}

interface Planning {
  readonly objectType: ObjectType;
  readonly answers: readonly ReusableAnswer[];
  readonly read: Pick<ReadGroup, 'now' | 'portal'>;
}

/**
 * What the policy would write of stored answers over what is there now, by the functions that the worker decides with.
 * Writes nothing. HubSpot's history is asked where a record has lost the memory of what is ours, and before a
 * blank is filled.
 * @returns in the order of the answers.
 */
export async function planStored(
  given: EnrichmentServices,
  policy: Policy,
  { objectType, answers, read: { now, portal } }: Planning,
): Promise<readonly WritePlan[]> {
  const services = { ...given, policy };
  const drafts = await draftsOf(services, answers, portal);
  const { definitions } = portal;
  const nothing = { objectType, drafts, now, definitions, recovered: new Map() };
  const recovered = (await ownByHistory(services, nothing)) ?? nothing.recovered;
  const isKnown = await knownProperties(services, objectType);
  const present = { now, definitions, recovered, isKnown };
  const plan = (draft: WriteDraft) => planWrites(services, draft, present);
  const planned = drafts.map(plan);
  const blanks = new Map(planned.map((each) => [each.draft.held.id, blanksFilled(each)]));
  const held = await withEmptied(
    services,
    planned.map(({ draft }) => draft.held),
    ({ id }) => blanks.get(id) ?? [],
  );
  return planned.map((each, index) => {
    const { draft } = each;
    const known = held[index];
    return known && known !== draft.held ? plan({ ...draft, held: known }) : each;
  });
}

/** A policy may name properties that were never read: a person may have emptied them. */
function blanksFilled({ current, filled }: WritePlan): string[] {
  return typeof current === 'string' ? [] : filled.filter((property) => !textOf(current, property));
}

export function effectOf({ digest }: Pick<EnrichmentServices, 'digest'>, planned: WritePlan): Effect {
  const { draft, current, filled, writes, kept = [], ownership, isMixed } = planned;
  const properties = typeof current === 'string' ? {} : current.properties;
  const mark = createMark({ definitions: draft.held.definitions, hash: digest.keyed });
  const isPeoples = (property: string) => {
    const value = properties[property] ?? '';
    // Choices are added to those that are there.
    if (value.trim() === '' || writes[property]?.startsWith(';')) return false;
    return !holdsOurValue(ownership, property, mark(property, value));
  };
  const isRefused = draft.outcome !== 'enriched' || planned.outcome === 'unmatched' || isMixed === true;
  return {
    writes: Object.fromEntries(filled.map((property) => [property, writes[property] ?? ''])),
    overPeople: filled.filter(isPeoples),
    kept: new Map(kept.map(({ property, reason }) => [property, reason])),
    unfit: [...new Set(draft.dropped.map(({ property }) => property))],
    refused: isRefused ? planned.reason : undefined,
  };
}
