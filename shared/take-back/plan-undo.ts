import type { ObjectType } from '#shared/crm';
import { arrivedOf, isStatus, type LeftOut } from '#shared/enrichment';
import { createExactForm, createNormalise } from '#shared/field-policy';
import { unreachable } from '#shared/kernel';
import {
  type Change,
  isUndo,
  type JournalEntry,
  leaves,
  type RecordState,
  runName,
  withResult,
} from '#shared/records';
import {
  type Facts,
  type NotOurs,
  readFacts,
  type TakeBackPlan,
  type TakeBackServices,
  type Wanted,
  whyNotOurs,
} from './take-back.ts';

type IsChosen = (entry: JournalEntry, property: string) => boolean;

export interface UndoRequest {
  readonly id: string;
  /** Selects the writes to undo, among the runs of the record and of records that were merged into it. */
  readonly isChosen: IsChosen;
  /** Key of the request for this undo. A repeated request has the same key. */
  readonly eventKey?: string | undefined;
  /** The asker, as `readAsker` reads it. */
  readonly askedBy?: string | undefined;
  /** Undoes only this property. */
  readonly property?: string | undefined;
  /** Set if a person says that the answer is about another person or company. */
  readonly isWrongMatch?: true | undefined;
  /** Set if a person rejected a review item. Then the statuses in HubSpot no longer show the answer. */
  readonly isRejection?: true;
}

export interface KeptByUndo extends NotOurs {
  readonly property: string;
}

/** Its values are those before our writes. */
export interface UndoPlan extends TakeBackPlan {
  /** Properties that stay as they are, with the reason. */
  readonly kept: readonly KeptByUndo[];
  /** Properties that an interrupted attempt at the same request restored. */
  readonly before?: readonly string[];
  /** Whether the record holds no value of ours after the undo. */
  readonly leavesNothing: boolean;
  /** The newest answer whose values the record then holds; absent if the journal names none. */
  readonly left: JournalEntry['question'];
}

/**
 * Plans the undo of records of one object type, by their current values.
 * @returns the plans in the given order.
 */
export async function planUndos(
  services: TakeBackServices,
  objectType: ObjectType,
  wanted: readonly Wanted<UndoRequest>[],
): Promise<readonly UndoPlan[]> {
  const states = wanted.map(({ state }) => state);
  const namesOf = (_: RecordState, entries: readonly JournalEntry[]) => writtenProperties(entries);
  const facts = await readFacts(services, objectType, { states, namesOf });
  return wanted.flatMap((each, at) => {
    const known = facts[at];
    return known ? [planUndo(services, each, known)] : [];
  });
}

function planUndo(
  services: TakeBackServices,
  { state, wish, leftOut = [] }: Wanted<UndoRequest>,
  known: Facts,
): UndoPlan {
  const { current, definitions } = known;
  const properties = current?.properties ?? {};
  const normalise = createNormalise(definitions);
  // For a write with an unknown result, HubSpot's current value decides.
  const entries = known.entries.map((entry) =>
    withResult(entry, { stored: arrivedOf(entry, { properties, normalise }) }),
  );
  const values: Record<string, string> = {};
  const kept: KeptByUndo[] = leftOut.map(notTaken);
  for (const [property, target] of undoTargets(entries, { ...wish, current: properties })) {
    if (leftOut.some((each) => each.property === property)) continue;
    const why = reasonOf(target, state) ?? reasonToKeep(services, { ...known, state, property, target });
    if (why) kept.push({ property, ...why });
    else if (target.kind === 'restore') values[property] = target.to ?? '';
  }
  const allTargets = undoTargets(entries, { isChosen: () => true, current: properties });
  const remaining = [...allTargets].filter(([property, target]) => {
    const isOurs = reasonToKeep(services, { ...known, state, property, target }) === undefined;
    return isOurs && !Object.hasOwn(values, property);
  });
  const answers = remaining.flatMap(([, { by }]) => by.question ?? []);
  const left = answers.sort((a, b) => a.askedAtMs - b.askedAtMs).at(-1);
  const { eventKey } = wish;
  const before = eventKey && entries.flatMap((entry) => broughtBackFor(eventKey, entry));
  return { values, kept, ...(before && { before }), leavesNothing: remaining.length === 0, left, current };
}

export function notTaken({ property, reason }: LeftOut): KeptByUndo {
  return { property, code: 'refused', reason: `HubSpot refused it: ${reason}` };
}

function broughtBackFor(eventKey: string, entry: JournalEntry): string[] {
  return entry.eventKeys.includes(eventKey) ? broughtBack(entry).map(({ property }) => property) : [];
}

/** Returns the known writes of an undo, without the statuses. */
export function broughtBack(entry: JournalEntry): JournalEntry['changes'] {
  return entry.changes.filter(
    (change) => isUndo(entry, change) && change.state === 'written' && !isStatus(change.property),
  );
}

function reasonOf(target: UndoTarget, state: RecordState): NotOurs | undefined {
  switch (target.kind) {
    case 'restore':
      return undefined;
    case 'written-later':
      return {
        code: 'written-later',
        reason: `${runName(target.by, state)} wrote it again, and is not part of this undo`,
      };
    case 'too-long':
      return { code: 'too-long', reason: 'the former value was too long to be stored whole' };
    default:
      return unreachable(target);
  }
}

type Seen = Parameters<typeof whyNotOurs>[1];

/** Explains why it is not proved that a value is ours to undo; `undefined` if it is proved. */
function reasonToKeep(
  services: TakeBackServices,
  { target, ...seen }: Seen & { readonly target: UndoTarget },
): NotOurs | undefined {
  if (target.kind !== 'restore') return whyNotOurs(services, seen);
  const exactForm = createExactForm(seen.definitions);
  return whyNotOurs(services, seen, (value) => {
    const isThatForm = exactForm(seen.property, value) === exactForm(seen.property, target.wrote.after);
    return leaves(target.wrote, value) || isThatForm;
  });
}

/**
 * Target of an undo: the value before the chosen writes, or the reason why it cannot be restored. `by` is the run of the
 * newest write.
 */
type UndoTarget = { readonly by: JournalEntry } & (
  | /** `wrote` is the write whose value HubSpot must still have. */
  { readonly kind: 'restore'; readonly to: string | null; readonly wrote: Change }
  /** The former value was too long for the journal. */
  | { readonly kind: 'written-later' | 'too-long' }
);

interface Chosen {
  readonly isChosen: IsChosen;
  readonly property?: string | undefined;
  /** HubSpot's values. After a merge, they show whose write a value comes from. */
  readonly current?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * Returns the undo target of every property that a chosen run wrote. An undo starts from our newest write. Consecutive
 * chosen writes are undone to the value before the first. Our own statuses are never undone.
 */
export function undoTargets(
  entries: readonly JournalEntry[],
  { isChosen, property: onlyProperty, current = {} }: Chosen,
): ReadonlyMap<string, UndoTarget> {
  const targets = new Map<string, UndoTarget>();
  for (const [property, writes] of writesOf(entries)) {
    if (onlyProperty !== undefined && onlyProperty !== property) continue;
    const newest =
      writes.findLast(({ change }) => leaves(change, current[property] ?? null)) ?? writes.at(-1);
    const writesUpToNewest = newest ? writes.slice(0, writes.indexOf(newest) + 1) : [];
    const target = targetOf(writesUpToNewest, (entry) => isChosen(entry, property));
    if (target) targets.set(property, target);
  }
  return targets;
}

/** Returns the written properties of the entries, without refused ones and our statuses. */
export function writtenProperties(entries: readonly JournalEntry[]): readonly string[] {
  return [
    ...new Set(entries.flatMap(({ changes }) => changes.filter(isUndoable).map(({ property }) => property))),
  ];
}

function isUndoable({ property, state }: Change): boolean {
  return state !== 'refused' && !isStatus(property);
}

interface Write {
  readonly entry: JournalEntry;
  readonly change: Change;
}

/** Returns the writes of each property, oldest first. */
function writesOf(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly Write[]> {
  // A removal cannot be undone, and its entry holds no value.
  const writing = entries.filter(({ kind }) => kind !== 'removal');
  const writes = writing.flatMap((entry) =>
    entry.changes
      .filter((change) => isUndoable(change) && change.state === 'written')
      .map((change) => ({ entry, change })),
  );
  return Map.groupBy(writes, ({ change }) => change.property);
}

function targetOf(
  writes: readonly Write[],
  isChosen: (entry: JournalEntry) => boolean,
): UndoTarget | undefined {
  const newest = writes.at(-1);
  if (!newest || !writes.some(({ entry }) => isChosen(entry))) return undefined;
  if (isUndo(newest.entry, newest.change)) return undefined;
  const by = newest.entry;
  if (!isChosen(by)) return { kind: 'written-later', by };
  const { before, cut } = firstOf(writes, { newest, isChosen }).change;
  if (cut?.includes('before')) return { kind: 'too-long', by };
  return { kind: 'restore', to: before, wrote: newest.change, by };
}

/** Returns the first of the consecutive chosen writes up to the newest. */
function firstOf(
  writes: readonly Write[],
  { newest, isChosen }: { readonly newest: Write; readonly isChosen: (entry: JournalEntry) => boolean },
): Write {
  let first = newest;
  for (const earlier of writes.slice(0, -1).reverse()) {
    const { entry, change } = earlier;
    // Another value was written between these two writes. That value is restored.
    if (!leaves(change, first.change.before)) {
      // The other record of a merge has its own sequence of values.
      if (entry.id !== first.entry.id) continue;
      break;
    }
    if (isUndo(entry, change) || !isChosen(entry)) break;
    first = earlier;
  }
  return first;
}
