import { type Change, isUndo, type JournalEntry, leaves } from '#shared/records';
import { isStatus } from '../write-back/draft.ts';

/** Target of an undo: the value before the chosen writes, or the reason why it cannot be restored. */
export type UndoTarget =
  /** `wrote` is the write whose value HubSpot must still have. */
  | { readonly kind: 'restore'; readonly to: string | null; readonly wrote: Change }
  | { readonly kind: 'written-later'; readonly by: JournalEntry }
  /** The former value was too long for the journal. */
  | { readonly kind: 'too-long' };

interface Chosen {
  readonly isChosen: (entry: JournalEntry) => boolean;
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
    const target = targetOf(writesUpToNewest, isChosen);
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
  if (!isChosen(newest.entry)) return { kind: 'written-later', by: newest.entry };
  const { before, cut } = firstOf(writes, { newest, isChosen }).change;
  if (cut?.includes('before')) return { kind: 'too-long' };
  return { kind: 'restore', to: before, wrote: newest.change };
}

/** Returns the first of the consecutive chosen writes up to the newest. */
function firstOf(
  writes: readonly Write[],
  { newest, isChosen }: Pick<Chosen, 'isChosen'> & { readonly newest: Write },
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
