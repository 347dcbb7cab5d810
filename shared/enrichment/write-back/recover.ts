import type { CrmRecord, CrmVersion, ObjectType, PropertyDefinitions } from '#shared/crm';
import { createMark, createNormalise, lastWrittenMarks, type Mark } from '#shared/field-policy';
import type { Marks, WrittenByOthers } from '#shared/ownership';
import { type Change, isUndo, type JournalEntry } from '#shared/records';
import { eachAlone, type Failures } from '../failures.ts';
import type { EnrichmentServices, RecordClaim } from '../services.ts';
import { isStatus } from './draft.ts';
import { type Fate, fateOf } from './fate.ts';

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
  /** Until this time a write of this run may still arrive. Epoch milliseconds. */
  readonly openUntilMs?: number | undefined;
}

/** By record id. */
export type Recovered = ReadonlyMap<string, RecoveredRecord>;

export const NOTHING_RECOVERED: RecoveredRecord = {
  written: {},
  isWritten: false,
  theirs: {},
  others: {},
  taken: {},
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
    const stored = arrivedOf(fates);
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

function arrivedOf(fates: Fates): Record<string, string> {
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
  const openMs = [...untilMs, entry.openUntilMs].filter((ms) => ms !== undefined);
  return {
    written: lastWrittenMarks(ours, createMark({ definitions, hash: digest.keyed })),
    isWritten: Object.keys(ours).length > 0,
    theirs,
    others: {},
    taken,
    ...(openMs.length > 0 && { openUntilMs: Math.max(...openMs) }),
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
