import type { CrmRecord, CrmVersion, ObjectType, PropertyDefinitions } from '#shared/crm';
import type { EnrichmentServices } from '#shared/enrichment';
import { isOurs, isStatus, type LeftOut, lastWrite, STATUS_PROPERTIES } from '#shared/enrichment';
import { createExactForm, createMark, holdsSeveral, type Mark, membersOf } from '#shared/field-policy';
import { entryOf, holdsOurValue } from '#shared/ownership';
import {
  historyOf,
  isUndo,
  type JournalEntry,
  leaves,
  type RecordState,
  type Removal,
} from '#shared/records';
import { whyNotOurs, writtenProperties } from './plan-undo.ts';

export type RemovalServices = Pick<
  EnrichmentServices,
  | 'together'
  | 'records'
  | 'journal'
  | 'reviews'
  | 'forgetting'
  | 'crm'
  | 'policy'
  | 'ownAppId'
  | 'clock'
  | 'newId'
  | 'digest'
  | 'logger'
>;

/** A record whose values are to be removed, with its state. */
export interface ToRemove {
  readonly state: RecordState;
  readonly removal: Removal;
  /** For each property: a person's value that an earlier attempt replaced or restored. Such values stay. */
  readonly theirs?: Readonly<Record<string, string>> | undefined;
  /** Properties that HubSpot refused to empty. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

export interface RemovalPlan {
  /** For each property with our value: the value after the removal, which is blank or the choices of others. */
  readonly removed: Readonly<Record<string, string>>;
  /** Properties that hold a value of ours from outside the recalled period. */
  readonly left: readonly string[];
  /** Properties that hold a value of ours but cannot be emptied now, with the reason. */
  readonly kept: readonly LeftOut[];
  /** The present record; `undefined` if HubSpot does not have it. */
  readonly current: CrmRecord | undefined;
}

/**
 * Plans the removal for records of one object type, by their present values.
 * @returns the plans in the given order.
 */
export async function planRemovals(
  services: RemovalServices,
  objectType: ObjectType,
  wanted: readonly ToRemove[],
): Promise<readonly RemovalPlan[]> {
  const entries = await Promise.all(wanted.map(({ state }) => historyOf(services, state)));
  const definitions = await services.crm.definitions(objectType);
  const fields = services.policy.fields[objectType].map(({ property }) => property);
  const asked = wanted.map(({ state: { id, ownership } }, index) => {
    const written = [...writtenProperties(entries[index] ?? []), ...Object.keys(ownership)];
    const properties = [...new Set([...fields, ...written])].filter((name) => !isStatus(name));
    return { id, properties: properties.filter((name) => definitions.has(name)) };
  });
  const history = await services.crm.history({ objectType, records: asked });
  const properties = [
    ...new Set([...asked.flatMap((wantedRecord) => wantedRecord.properties), ...STATUS_PROPERTIES]),
  ];
  // Reads the values last, so that the write follows directly after the read.
  const { records, failed } = await services.crm.read({
    objectType,
    ids: asked.map(({ id }) => id),
    properties,
  });
  const mark = createMark({ definitions, hash: services.digest.keyed });
  return wanted.map((wantedRecord, index) => {
    const { id } = wantedRecord.state;
    const read = records.get(id);
    const known = { ...wantedRecord, current: read?.id === id ? read : undefined, definitions, mark };
    const plan = planRemoval(services, {
      ...known,
      names: asked[index]?.properties ?? [],
      entries: entries[index] ?? [],
      versions: history.get(id) ?? {},
    });
    return failed.has(id) ? { ...plan, kept: [UNREADABLE] } : plan;
  });
}

const UNREADABLE: LeftOut = { property: '', reason: 'HubSpot did not return the record' };

interface RemovalInput extends ToRemove {
  readonly names: readonly string[];
  readonly entries: readonly JournalEntry[];
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
  readonly current: CrmRecord | undefined;
  readonly definitions: PropertyDefinitions;
  readonly mark: Mark;
}

function planRemoval(services: RemovalServices, known: RemovalInput): RemovalPlan {
  const { current, names, leftOut = [] } = known;
  if (!current) return { removed: {}, left: [], kept: [], current };
  const filled = names.filter((property) => (current.properties[property] ?? '') !== '');
  const removed: Record<string, string> = {};
  const left: string[] = [];
  const kept: LeftOut[] = [...leftOut];
  for (const property of filled) {
    const value = current.properties[property] ?? '';
    const isRefused = leftOut.some((each) => each.property === property);
    if (isRefused || !isByUs(services, known, { property, value })) continue;
    const remainder = choicesOfOthers(services, known, { property, value });
    if (remainder === value) continue;
    if (!isObtained(known, { property, value })) {
      left.push(property);
      continue;
    }
    const isOurWrite = isOurValue(services, known, property);
    const why = whyNotOurs(services, { ...known, property }, isOurWrite);
    if (why && isOurWrite(value)) kept.push({ property, reason: why.reason });
    if (!why) removed[property] = remainder;
  }
  return { removed, left, kept, current };
}

interface HeldValue {
  readonly property: string;
  readonly value: string;
}

/**
 * A property with several choices can hold choices of others besides the ones that we added. Returns the choices of
 * others.
 */
function choicesOfOthers(
  { ownAppId }: RemovalServices,
  { definitions, versions }: RemovalInput,
  { property, value }: HeldValue,
): string {
  const definition = definitions.get(property);
  if (!definition || !holdsSeveral(definition)) return '';
  const theirs = versions[property]?.find((version) => !isOurs(version, ownAppId));
  const chosen = new Set(membersOf(theirs?.value ?? ''));
  const remaining = membersOf(value).filter((member) => chosen.has(member));
  return remaining.length === membersOf(value).length ? value : remaining.join(';');
}

/** Whether our app wrote the value last, as far as HubSpot shows. A person's value is left out of the plan. */
function isByUs({ ownAppId }: RemovalServices, known: RemovalInput, { property, value }: HeldValue): boolean {
  const newest = lastWrite(known.versions[property]);
  if (newest) return isOurs(newest, ownAppId);
  return holdsOurValue(known.state.ownership, property, known.mark(property, value));
}

/**
 * Returns a check whether a value is our own write. If the app's id is known, HubSpot's history proves our writes. The
 * check then only excludes people's values that an undo restored.
 */
function isOurValue(
  { ownAppId }: RemovalServices,
  { state: { ownership }, theirs = {}, entries, mark, definitions }: RemovalInput,
  property: string,
): (value: string) => boolean {
  const exactForm = createExactForm(definitions);
  return (value) => {
    const isBroughtBack = entryOf(ownership, property).broughtBack?.includes(mark(property, value));
    if (isBroughtBack || theirs[property] === value) return false;
    const write = writesOf(entries, property).find(
      ({ change }) =>
        leaves(change, value) || exactForm(property, change.after) === exactForm(property, value),
    );
    if (write) return !isUndo(write.entry, write.change);
    return ownAppId !== undefined || holdsOurValue(ownership, property, mark(property, value));
  };
}

/** Returns our writes of a property, newest first. */
function writesOf(entries: readonly JournalEntry[], property: string) {
  const writing = entries.filter(({ kind }) => kind !== 'removal').toReversed();
  return writing.flatMap((entry) =>
    entry.changes
      .filter((change) => change.property === property && change.state !== 'refused')
      .map((change) => ({ entry, change })),
  );
}

/** Whether the value was obtained in the recalled period, judged by the time of its question or its write. */
function isObtained(
  { removal: { obtained }, entries, versions }: RemovalInput,
  { property, value }: HeldValue,
): boolean {
  if (!obtained) return true;
  const write = writesOf(entries, property).find(({ change }) => leaves(change, value));
  const times = [
    write?.entry.question?.askedAtMs,
    write?.entry.atMs,
    lastWrite(versions[property])?.timestampMs,
  ];
  const knownTimes = times.filter((ms) => ms !== undefined);
  return knownTimes.length === 0 || knownTimes.some((ms) => ms >= obtained.fromMs && ms <= obtained.toMs);
}
