import { type CrmReading, type CrmRecord, isAboutPerson } from '#shared/crm';
import { admissionOf, employerProperties, type Policy, propertiesOfRules } from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES, textOf } from '#shared/identity';
import type { RecordState } from '#shared/records';
import { ownershipOf } from '../memory.ts';
import { knownProperties, type PortalShape, readWithCompanies } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { STATUS_PROPERTIES } from '../write-back/draft.ts';
import type { Group } from './groups.ts';

/** Reason why a record is skipped, whatever its answer is. */
export type SkipCause = 'gone' | 'unreadable' | 'worked-on' | 'asked-for';

/** A record as it was read, with its ownership. Each property is checked once. */
export interface ReadRecord {
  readonly held: ClaimedRecord;
  readonly ownership: ReturnType<typeof ownershipOf>;
}

export interface ReadGroup {
  readonly now: CrmReading;
  readonly portal: PortalShape;
  readonly found: readonly ReadRecord[];
  /** Records that were read but skipped, because a worker has them or a person requested them. */
  readonly others: readonly ReadRecord[];
  readonly left: readonly SkipCause[];
}

interface Reading {
  readonly policies: readonly [Policy, ...Policy[]];
  /** Records of an earlier read. Their companies are not read again. */
  readonly seen?: readonly CrmRecord[];
}

/**
 * Reads a group with all properties that the policies need. This takes one request, or two for contacts. Skips a record
 * that a worker has or a person requested.
 */
export async function readGroup(
  { crm, digest, clock }: Pick<EnrichmentServices, 'crm' | 'digest' | 'clock'>,
  { objectType, states }: Group,
  { policies, seen = [] }: Reading,
): Promise<ReadGroup> {
  const definitions = await crm.definitions(objectType);
  const fields = policies.flatMap((policy) => policy.fields[objectType]);
  const hasAmounts = fields.some(({ currency }) => currency !== undefined);
  const portal = { definitions, currency: hasAmounts ? await crm.currency() : undefined };
  const ids = states.map(({ id }) => id);
  const properties = [
    ...new Set([
      ...IDENTIFYING_PROPERTIES[objectType],
      ...STATUS_PROPERTIES,
      ...(isAboutPerson({ objectType }) ? policies.flatMap(employerProperties) : []),
      ...fields.map(({ property }) => property),
      ...policies.flatMap((policy) => propertiesOfRules(policy, objectType).own),
      ...policies.flatMap(({ refresh }) => refresh.weights[objectType].map(({ property }) => property)),
    ]),
  ];
  const companyProperties = policies.flatMap((policy) => propertiesOfRules(policy, objectType).company);
  const readAtMs = clock.now();
  const now = await readWithCompanies(crm, { objectType, ids, properties, companyProperties }, seen);
  // The first policy decides about the records here. Decisions by another policy use that policy's own rules.
  const [policy] = policies;
  const isKnown = await knownProperties({ crm, policy }, objectType);
  const found: ReadRecord[] = [];
  const others: ReadRecord[] = [];
  const left: SkipCause[] = [];
  for (const state of states) {
    const record = now.records.get(state.id);
    const isFound = record?.id === state.id;
    const isFileBusy = state.run !== undefined;
    const isAskedFor = isFound && textOf(record, 'enrichment_requested') === 'true';
    if (isFound) {
      const admission = admissionOf(policy, record, { nowMs: readAtMs, isKnown });
      const read = readRecord(digest, state, { record, definitions, readAtMs, admission });
      (isFileBusy || isAskedFor ? others : found).push(read);
    }
    if (isFileBusy) left.push('worked-on');
    else if (now.failed.has(state.id)) left.push('unreadable');
    else if (!isFound) left.push('gone');
    else if (isAskedFor) left.push('asked-for');
  }
  return { now, portal, found, others, left };
}

/** Builds the record with a backfill's run, which is no person's request. */
function readRecord(
  digest: EnrichmentServices['digest'],
  state: RecordState,
  read: Pick<ClaimedRecord, 'record' | 'definitions' | 'admission' | 'readAtMs'>,
): ReadRecord {
  const { objectType, id } = state;
  const run = { id: 'stored', purpose: 'backfill', openedAtMs: 0, credits: 0 } as const;
  const held = { ...{ objectType, id, state, run, requested: false }, ...read };
  const ownership = ownershipOf({ digest }, held);
  return { held, ownership: { ...ownership, isOurs: memoized(ownership.isOurs) } };
}

function memoized(check: (property: string) => boolean): (property: string) => boolean {
  const cache = new Map<string, boolean>();
  return (property) => {
    const known = cache.get(property) ?? check(property);
    cache.set(property, known);
    return known;
  };
}
