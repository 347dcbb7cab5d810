import {
  type CrmReading,
  type CrmVersion,
  isPersonSource,
  type ObjectType,
  type PropertyDefinitions,
} from '#shared/crm';
import { createMark, createNormalise, type Mark, type Policy } from '#shared/field-policy';
import { textOf } from '#shared/identity';
import { entryOf, type Ownership, type WrittenByOthers, withOwnership } from '#shared/ownership';
import { isRequestedByPerson } from '../memory.ts';
import { type ReadRecords, readRecords } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices, RecordClaim } from '../services.ts';
import type { WriteDraft } from './draft.ts';
import { isOurs, NOTHING_RECOVERED, type Recovered } from './recover.ts';

interface Group {
  readonly objectType: ObjectType;
  readonly drafts: readonly WriteDraft[];
  readonly now: CrmReading;
  readonly definitions: PropertyDefinitions;
  readonly recovered: Recovered;
}

type Services = Pick<EnrichmentServices, 'ownAppId'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'history'>;
};

/**
 * Reads HubSpot's history of values that the policy would replace if they were ours. It reads the history of values
 * without an ownership entry. It also reads the history of values that equal our last value, because a person may have
 * typed the same value again. Only an entry of our own app counts as ours. Imports, forms, workflows and other apps
 * count as people.
 * @returns the recovered values, our own values, and the values typed again; `undefined` if nothing had to be read.
 */
export async function ownByHistory(
  { crm, digest, ownAppId }: Services & Pick<EnrichmentServices, 'digest'>,
  group: Group,
): Promise<Recovered | undefined> {
  if (ownAppId === undefined) return undefined;
  const mark = createMark({ definitions: group.definitions, hash: digest.keyed });
  const uncertain = group.drafts.flatMap((draft) => {
    const properties = uncertainProperties(draft, { ...group, mark });
    const { id, state } = draft.held;
    return properties.length > 0 ? [{ id, properties, state }] : [];
  });
  if (uncertain.length === 0) return undefined;
  const history = await crm.history({ objectType: group.objectType, records: uncertain });
  const recovered = new Map(group.recovered);
  for (const { id, properties, state } of uncertain) {
    const known = recovered.get(id) ?? NOTHING_RECOVERED;
    const ours: Record<string, string> = {};
    const theirs: Record<string, string> = {};
    const others: Record<string, WrittenByOthers[string]> = {};
    for (const property of properties) {
      const newest = lastWrite(history.get(id)?.[property]);
      if (!newest) continue;
      const { value } = newest;
      const by = authorOf(newest, ownAppId);
      if (by === 'us') ours[property] = mark(property, value);
      else others[property] = { value, by };
      // Our ownership entry says that the value is ours, so the entry must be corrected.
      if (by !== 'us' && entryOf(state.ownership, property).written) theirs[property] = value;
    }
    recovered.set(id, {
      ...known,
      written: { ...known.written, ...ours },
      theirs: { ...known.theirs, ...theirs },
      others: { ...known.others, ...others },
    });
  }
  return recovered;
}

/**
 * Returns the last write of the newest value. A merge entry only shows that the value of one of the two records was
 * kept. So the writer of that value counts.
 * @param versions versions, newest first.
 */
export function lastWrite(versions: readonly CrmVersion[] = []): CrmVersion | undefined {
  const [newest] = versions;
  const isMerge = ({ sourceType }: CrmVersion) => sourceType.includes('MERGE');
  return versions.find((version) => !isMerge(version) && version.value === newest?.value);
}

export function authorOf(version: CrmVersion, ownAppId: string | undefined): 'us' | 'person' | 'app' {
  if (isOurs(version, ownAppId)) return 'us';
  return isPersonSource(version.sourceType) ? 'person' : 'app';
}

function uncertainProperties(
  { held, proposals, elsewhere }: WriteDraft,
  { now: present, definitions, recovered, mark }: Group & { readonly mark: Mark },
): string[] {
  const record = present.records.get(held.id);
  if (record?.id !== held.id || elsewhere?.by === 'association') return [];
  const { written } = recovered.get(held.id) ?? NOTHING_RECOVERED;
  const known = withOwnership(held.state.ownership, { written });
  const normalise = createNormalise(definitions);
  const email = entryOf(known, 'email');
  const address = elsewhere && (!email.written || email.unproved) ? ['email'] : [];
  const replaceable = proposals.flatMap(({ property, value, rule }) => {
    const current = record.properties[property]?.trim() ?? '';
    if (rule.write !== 'ours' || current === '') return [];
    const entry = entryOf(known, property);
    const present = mark(property, current);
    if (entry.broughtBack?.includes(present) || held.others?.[property]?.value === current) return [];
    if (entry.written && !entry.written.includes(present)) return [];
    return normalise(property, current) === normalise(property, value) ? [] : [property];
  });
  return [...address, ...replaceable];
}

/**
 * Reads records, and the properties that people emptied, which stay empty. Reads new records together with their
 * history. For known records, reads the history only of blanks that no ownership entry explains.
 * @param blanksOf names of relevant blank properties of a record without an ownership entry.
 */
export async function readWithEmptied(
  services: Services & Pick<EnrichmentServices, 'crm' | 'policy' | 'clock'>,
  { objectType, held }: { readonly objectType: ObjectType; readonly held: readonly RecordClaim[] },
  blanksOf: (held: ClaimedRecord) => readonly string[],
): Promise<ReadRecords> {
  const hasNew = held.some(({ state, run }) => state.answeredAtMs === undefined && run.purpose !== 'manual');
  const historyOf = hasNew ? fillable(services.policy, objectType) : [];
  const read = await readRecords(services, objectType, held, historyOf);
  if (!hasNew) return { ...read, found: await withEmptied(services, read.found, blanksOf) };
  const found = read.found.map((claimed) => {
    const versions = read.history.get(claimed.id) ?? {};
    return withEmptiedOf(claimed, { names: blanksOf(claimed), versions, ownAppId: services.ownAppId });
  });
  return { ...read, found };
}

/**
 * Adds the properties that people filled and then emptied, as HubSpot's history shows. We may not have read the record
 * or these properties while they had a value.
 * @param blanksOf names of blank properties of a record without an ownership entry.
 * @throws UpstreamError `HUBSPOT_*` if HubSpot does not return the history.
 */
export async function withEmptied(
  { crm, ownAppId }: Services,
  records: readonly ClaimedRecord[],
  blanksOf: (held: ClaimedRecord) => readonly string[],
): Promise<ClaimedRecord[]> {
  const [first] = records;
  if (!first) return [];
  const blank = records.map((held) => ({ held, id: held.id, properties: blanksOf(held) }));
  const history = await crm.history({ objectType: first.objectType, records: blank });
  return blank.map(({ held, id, properties: names }) =>
    withEmptiedOf(held, { names, versions: history.get(id) ?? {}, ownAppId }),
  );
}

interface Past {
  /** Blank properties. */
  readonly names: readonly string[];
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
  readonly ownAppId: string | undefined;
}

/** Adds the properties that people filled and then emptied, from versions that were already read. */
function withEmptiedOf(held: ClaimedRecord, { names, versions, ownAppId }: Past): ClaimedRecord {
  // A person's request also fills properties that were emptied before it, but not those emptied during the run.
  const sinceMs = isRequestedByPerson(held) ? (held.record.updatedAtMs ?? Number.POSITIVE_INFINITY) : 0;
  const emptied = names.filter((property) => isEmptied(versions[property] ?? [], { ownAppId, sinceMs }));
  if (emptied.length === 0) return held;
  return { ...held, emptied: [...(held.emptied ?? []), ...emptied] };
}

/** Returns the properties that the policy may fill if they are blank. */
function fillable({ fields }: Policy, objectType: ObjectType): string[] {
  const rules = fields[objectType].filter(({ write }) => write !== 'never' && write !== 'always');
  return [...new Set(rules.map(({ property }) => property))];
}

/** Returns the blank properties that the policy would fill and that have no ownership entry. */
export function unknownBlanks(policy: Policy, { objectType, record, state }: ClaimedRecord): string[] {
  return fillable(policy, objectType).filter(
    (property) =>
      Object.hasOwn(record.properties, property) &&
      !textOf(record, property) &&
      !isKnown(state.ownership, property),
  );
}

/** Whether an ownership entry says that the property was filled. */
function isKnown(ownership: Ownership, property: string): boolean {
  const { written, filledByOthers } = entryOf(ownership, property);
  return filledByOthers === true || written !== undefined;
}

/**
 * Repeats the check for properties that the plan fills, if the record changed since it was read. In this time a person
 * may have typed and removed a value.
 * @returns the same drafts if the record has not changed.
 */
export async function emptiedMeanwhile(
  services: Services,
  drafts: readonly WriteDraft[],
  now: CrmReading,
): Promise<readonly WriteDraft[]> {
  const blanks = new Map(drafts.map((draft) => [draft.held.id, blanksSince(draft, now)]));
  if ([...blanks.values()].every((names) => names.length === 0)) return drafts;
  const checked = await withEmptied(
    services,
    drafts.map((draft) => draft.held),
    ({ id }) => blanks.get(id) ?? [],
  );
  return drafts.map((draft, index) => ({ ...draft, held: checked[index] ?? draft.held }));
}

function blanksSince({ held, proposals }: WriteDraft, now: CrmReading): string[] {
  const current = now.records.get(held.id);
  const { updatedAtMs } = held.record;
  const isAsRead = updatedAtMs !== undefined && updatedAtMs > 0 && current?.updatedAtMs === updatedAtMs;
  if (current?.id !== held.id || isAsRead) return [];
  const names = proposals.flatMap(({ property, rule }) =>
    rule.write !== 'always' && !textOf(current, property) ? [property] : [],
  );
  return isRequestedByPerson(held) ? names : names.filter((name) => !isKnown(held.state.ownership, name));
}

/** @param versions versions, newest first. */
function isEmptied(
  versions: readonly CrmVersion[],
  { ownAppId, sinceMs }: { readonly ownAppId: string | undefined; readonly sinceMs: number },
): boolean {
  const [newest, ...before] = versions;
  if (newest?.value !== '' || isOurs(newest, ownAppId)) return false;
  const { timestampMs = 1 } = newest;
  return timestampMs > sinceMs && before.some(({ value }) => value !== '');
}
