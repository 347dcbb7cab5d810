import {
  type CrmReading,
  type CrmRecord,
  type CrmVersion,
  isPersonSource,
  type ObjectType,
  type PropertyDefinitions,
} from '#shared/crm';
import {
  createMark,
  createNormalise,
  lastWrittenMarks,
  type Mark,
  type Normalise,
  type Policy,
} from '#shared/field-policy';
import { textOf } from '#shared/identity';
import { entryOf, type Marks, type Ownership, type WrittenByOthers, withOwnership } from '#shared/ownership';
import { type Change, isUndo, type JournalEntry, leaves } from '#shared/records';
import { isRequestedByPerson } from '../memory.ts';
import { type ReadRecords, readRecords } from '../read-records.ts';
import {
  type ClaimedRecord,
  type EnrichmentServices,
  eachAlone,
  type Failures,
  type RecordClaim,
} from '../services.ts';
import { isStatus, type WriteDraft } from './draft.ts';

type RecoverServices = Pick<EnrichmentServices, 'journal' | 'digest' | 'ownAppId'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'history'>;
};

export interface RecoveredRecord {
  /** Our values on the record that its state does not know yet. */
  readonly written: Marks;
  /** Whether this run has written values before. */
  readonly isWritten: boolean;
  /**
   * By property: values and blanks that people wrote after our write, or that were restored. They stay, whatever the
   * policy says about blanks.
   */
  readonly theirs: Readonly<Record<string, string>>;
  /** By property: a value that others wrote, as HubSpot's history shows. */
  readonly others: WrittenByOthers;
  /** By property: a value that our write replaced (`lost`), and our value (`by`). The lost value is restored. */
  readonly taken: Readonly<Record<string, { readonly by: string; readonly lost: string }>>;
  /** Until this time a write of this run may still arrive. Epoch milliseconds; 0 if none may. */
  readonly openUntilMs: number;
}

/** By record id. */
export type Recovered = ReadonlyMap<string, RecoveredRecord>;

export const NOTHING_RECOVERED: RecoveredRecord = {
  written: {},
  isWritten: false,
  theirs: {},
  others: {},
  taken: {},
  openUntilMs: 0,
};

/** Longest lifetime of a request to HubSpot: three times our own timeout. */
export const WRITE_LIFETIME_MS = 30_000;

interface RecoverGroup<D> {
  readonly objectType: ObjectType;
  readonly drafts: readonly D[];
  readonly definitions: PropertyDefinitions;
}

/**
 * Whether an earlier attempt at the run may have written. This is so if the run already has an answer, or has lost its
 * worker.
 */
export function wasInterrupted({ state: { run } }: RecordClaim): boolean {
  return run?.answeredQuestion !== undefined || run?.lapses !== undefined;
}

/**
 * Returns the results of writes that this run planned before a worker crashed, or before a write timed out. The journal
 * has the planned values, and HubSpot's history shows who wrote last.
 */
export async function recoverWrites<D extends { readonly held: RecordClaim }>(
  services: RecoverServices,
  group: RecoverGroup<D>,
): Promise<{ readonly recovered: Recovered; readonly failures: Failures<D> }> {
  const { definitions } = group;
  const entries = new Map<string, JournalEntry>();
  const failures = await eachAlone(group.drafts, async (draft) => {
    const { id, state } = draft.held;
    const entry = await services.journal.read(draft.held, state.runsOpened);
    if (entry) entries.set(id, entry);
  });
  const { objectType } = group;
  const history = await services.crm.history({ objectType, records: [...entries].map(sentBy) });
  const recovered = new Map<string, RecoveredRecord>();
  const journalled = group.drafts.filter(({ held }) => entries.has(held.id));
  const unconfirmed = await eachAlone(journalled, async ({ held }) => {
    const entry = entries.get(held.id);
    if (!entry) return;
    const fates = fatesOf(services, { entry, definitions, versions: history.get(held.id) ?? {} });
    const stored = arrivedIn(fates);
    const hasNewlyArrived = entry.changes.some(
      ({ property, state }) => state !== 'written' && property in stored,
    );
    if (hasNewlyArrived) await services.journal.confirm(held, held.state.runsOpened, { stored });
    recovered.set(held.id, recoveredOf(services, { entry, fates, definitions }));
  });
  return { recovered, failures: new Map([...failures, ...unconfirmed]) };
}

/**
 * Returns the properties of all attempts. Even a refused property counts, because an earlier attempt to write it may
 * have been accepted, or may still arrive.
 */
function sentBy([id, { changes }]: readonly [string, JournalEntry]) {
  return { id, properties: changes.map(({ property }) => property) };
}

type Fates = ReadonlyMap<Change, Fate>;

function fatesOf({ ownAppId }: RecoverServices, { entry, definitions, versions }: Witnessed): Fates {
  const normalise = createNormalise(definitions);
  return new Map(
    entry.changes.map((change) => [
      change,
      fateOf(change, { versions: versions[change.property] ?? [], ownAppId, normalise }),
    ]),
  );
}

interface Witnessed {
  readonly entry: JournalEntry;
  readonly definitions: PropertyDefinitions;
  /** By property, newest first. */
  readonly versions: Readonly<Record<string, readonly CrmVersion[]>>;
}

function arrivedIn(fates: Fates): Record<string, string> {
  const arrived = [...fates].flatMap(([{ property }, fate]) =>
    fate.kind === 'arrived' || fate.kind === 'overwrote' ? [[property, fate.value] as const] : [],
  );
  return Object.fromEntries(arrived);
}

function recoveredOf(
  { digest }: RecoverServices,
  { entry, fates, definitions }: { entry: JournalEntry; fates: Fates; definitions: PropertyDefinitions },
): RecoveredRecord {
  const ours: Record<string, string> = {};
  const theirs: Record<string, string> = {};
  const taken: Record<string, { by: string; lost: string }> = {};
  for (const [change, fate] of fates) {
    if (isStatus(change.property)) continue;
    if (fate.kind === 'overtaken') theirs[change.property] = fate.value;
    if (fate.kind === 'overwrote') taken[change.property] = { by: fate.value, lost: fate.lost };
    // The restoration did not arrive, or an earlier write of ours replaced it. So the value must be restored again.
    if (fate.kind === 'absent' && fate.ours !== undefined && isUndo(entry, change))
      taken[change.property] = { by: fate.ours, lost: fate.lost ?? change.after };
    // A restored value counts as the person's, although we wrote it. A blank that a removal wrote does not, so a later
    // answer can fill it.
    const isRemoved = entry.kind === 'removal' && fate.kind === 'arrived' && fate.value === '';
    if (fate.kind === 'arrived' && !isRemoved)
      (isUndo(entry, change) ? theirs : ours)[change.property] = fate.value;
  }
  const unconfirmedChanges = entry.changes.filter(
    ({ state, property }) => state === 'planned' && !isStatus(property),
  );
  const untilMs = unconfirmedChanges.map(({ sentAtMs = entry.sentAtMs }) => sentAtMs + WRITE_LIFETIME_MS);
  return {
    written: lastWrittenMarks(ours, createMark({ definitions, hash: digest.keyed })),
    isWritten: Object.keys(ours).length > 0,
    theirs,
    others: {},
    taken,
    openUntilMs: Math.max(entry.openUntilMs ?? 0, ...untilMs),
  };
}

/** Returns hashes of the values and blanks that people wrote during our write. They count as people's from now on. */
export function broughtBackOf({ theirs, taken }: RecoveredRecord, mark: Mark): Marks {
  const lost = Object.entries(taken).map(([property, { lost }]): [string, string] => [property, lost]);
  const values = [...Object.entries(theirs), ...lost];
  return Object.fromEntries(values.map(([property, value]) => [property, mark(property, value)]));
}

/** Returns the people's values that our write replaced and that are still replaced. */
export function backOf({ taken }: RecoveredRecord, { properties }: CrmRecord): Record<string, string> {
  const back = Object.entries(taken).filter(([property, { by }]) => (properties[property] ?? '') === by);
  return Object.fromEntries(back.map(([property, { lost }]) => [property, lost]));
}

/** Result of a write that timed out, as HubSpot's history of the property shows. */
type Fate =
  /**
   * HubSpot does not show the write, but may show another value of ours. The write may still arrive during the lifetime
   * of the request.
   */
  | {
      readonly kind: 'absent';
      readonly ours?: string | undefined;
      /** The value that a person wrote after our read, and that our own value replaced. */
      readonly lost?: string | undefined;
    }
  /** The write is the newest value, and replaced the value that we had read. */
  | { readonly kind: 'arrived'; readonly value: string }
  /** The write is the newest value, and replaced a value that was written after our read. */
  | { readonly kind: 'overwrote'; readonly value: string; readonly lost: string }
  /** A person wrote after our write. `value` is the person's value; it can be empty. */
  | { readonly kind: 'overtaken'; readonly value: string };

interface Witness {
  /** Newest first. */
  readonly versions: readonly CrmVersion[];
  /** Id of our app. Without the id, every integration that wrote the same value counts as ours. */
  readonly ownAppId: string | undefined;
  readonly normalise: Normalise;
}

/** Judges a write by the order of versions and by HubSpot's clock, because our clock may differ from it. */
export function fateOf(change: Change, { versions, ownAppId, normalise }: Witness): Fate {
  const isThisWrite = (version: CrmVersion) =>
    isOurs(version, ownAppId) && matchesWrite(change, version.value, normalise);
  const [newest] = versions;
  if (!newest) return { kind: 'absent' };
  const { value } = newest;
  const isAfterRead = ({ timestampMs }: CrmVersion) =>
    timestampMs > (change.seenAtMs ?? Number.POSITIVE_INFINITY);
  const othersWrite = versions.find((version) => !isOurs(version, ownAppId) && isAfterRead(version));
  const ours = isOurs(newest, ownAppId) ? value : undefined;
  const absent: Fate = { kind: 'absent', ours, lost: othersWrite?.value };
  if (!versions.some(isThisWrite)) return absent;
  if (!isThisWrite(newest)) return isOurs(newest, ownAppId) ? absent : { kind: 'overtaken', value };
  const replacedIndex = versions.findIndex((version) => !isThisWrite(version));
  const replaced = versions[replacedIndex];
  if (!replaced || isOurs(replaced, ownAppId)) return { kind: 'arrived', value };
  // If our write was repeated, a value between the two attempts was written after the first attempt, so also after our
  // read. This is true even if it equals the former value.
  const wasWrittenAfterRead =
    replaced.value !== (change.before ?? '') ||
    isAfterRead(replaced) ||
    versions.slice(replacedIndex).some(isThisWrite);
  return wasWrittenAfterRead
    ? { kind: 'overwrote', value, lost: replaced.value }
    : { kind: 'arrived', value };
}

export function isOurs({ sourceType, sourceId }: CrmVersion, ownAppId: string | undefined): boolean {
  return sourceType === 'INTEGRATION' && (ownAppId === undefined || sourceId === ownAppId);
}

type Values = Readonly<Record<string, string | null>>;

/** Returns HubSpot's values for the entry's writes that HubSpot now shows and did not refuse, by property. */
export function arrivedOf(
  { changes }: JournalEntry,
  { properties, normalise }: { readonly properties: Values; readonly normalise: Normalise },
): Values {
  const arrived = changes.filter(
    (change) =>
      change.state !== 'refused' && matchesWrite(change, properties[change.property] ?? null, normalise),
  );
  return Object.fromEntries(arrived.map(({ property }) => [property, properties[property] ?? null]));
}

/** Whether HubSpot's value equals the written value. */
function matchesWrite(change: Change, value: string | null, normalise: Normalise): boolean {
  const { property, before, after } = change;
  if (leaves(change, value)) return true;
  // HubSpot adds a choice with a leading semicolon to the existing choices.
  const whole = after.startsWith(';') ? `${before ?? ''}${after}` : after;
  const [held, meant] = [normalise(property, value ?? ''), normalise(property, whole)];
  return held === meant;
}

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
