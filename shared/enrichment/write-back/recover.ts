import type { CrmRecord, CrmVersion, ObjectType, PropertyDefinitions } from '#shared/crm';
import {
  createMark,
  createNormalise,
  lastWrittenMarks,
  type Mark,
  type Normalise,
} from '#shared/field-policy';
import type { Marks, WrittenByOthers } from '#shared/ownership';
import { type Change, isUndo, type JournalEntry, leaves } from '#shared/records';
import { type EnrichmentServices, eachAlone, type Failures, type RecordClaim } from '../services.ts';
import { isStatus } from './statuses.ts';

type Services = Pick<EnrichmentServices, 'journal' | 'digest' | 'ownAppId'> & {
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

interface Group<D> {
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
  services: Services,
  group: Group<D>,
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

function fatesOf({ ownAppId }: Services, { entry, definitions, versions }: Witnessed): Fates {
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
  { digest }: Services,
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
