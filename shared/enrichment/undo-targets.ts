import type { JournalEntry } from '../records/journal-entry.ts';
import { STATUS_PROPERTIES } from './status-properties.ts';

/** What an undo is to bring back: the value from before the chosen writes, or why that is not to be had. */
export type UndoTarget =
  | { readonly kind: 'restore'; readonly to: string | null }
  | { readonly kind: 'written-later'; readonly run: number };

/**
 * By property, for every property that a chosen run wrote. A value can only be brought back from the newest write of
 * ours on; of several chosen ones in a row, to what was there before the first. Our own statuses are never undone.
 */
export function undoTargets(
  entries: readonly JournalEntry[],
  chosen: { readonly isChosen: (entry: JournalEntry) => boolean; readonly property?: string | undefined },
): ReadonlyMap<string, UndoTarget> {
  const targets = new Map<string, UndoTarget>();
  for (const [property, writes] of writesOf(entries)) {
    if (chosen.property !== undefined && chosen.property !== property) continue;
    const target = targetOf(writes, chosen.isChosen);
    if (target) targets.set(property, target);
  }
  return targets;
}

interface Write {
  readonly entry: JournalEntry;
  readonly before: string | null;
  readonly after: string;
}

/** Oldest first. */
function writesOf(entries: readonly JournalEntry[]): ReadonlyMap<string, readonly Write[]> {
  const statuses: ReadonlySet<string> = new Set(STATUS_PROPERTIES);
  const writes = new Map<string, Write[]>();
  for (const entry of entries) {
    for (const { property, before, after, state } of entry.changes) {
      if (state !== 'written' || statuses.has(property)) continue;
      writes.set(property, [...(writes.get(property) ?? []), { entry, before, after }]);
    }
  }
  return writes;
}

function targetOf(
  writes: readonly Write[],
  isChosen: (entry: JournalEntry) => boolean,
): UndoTarget | undefined {
  const newest = writes.at(-1);
  if (!newest || !writes.some(({ entry }) => isChosen(entry))) return undefined;
  if (!isChosen(newest.entry)) return { kind: 'written-later', run: newest.entry.run };
  let first = newest;
  for (const earlier of writes.slice(0, -1).reverse()) {
    // Where somebody else wrote in between, that is what comes back.
    const follows = first.before === earlier.after && earlier.entry.kind === 'enrichment';
    if (!follows || !isChosen(earlier.entry)) break;
    first = earlier;
  }
  return newest.entry.kind === 'undo' ? undefined : { kind: 'restore', to: first.before };
}
