import type { Change, JournalEntry } from './schemas.ts';

/**
 * DynamoDB holds 400 KB an item, and HubSpot 65,536 characters a property. A character is at most three bytes, which
 * leaves some 100 KB for the names and the rest of the entry.
 */
const MAX_CHARACTERS = 100_000;
/** Of a reason why a value was not sent; it may quote the value. */
const MAX_REASON = 200;

/** The entry as it can be stored: where its values are too many and too long, the longest lose their ends. */
export function storable(entry: JournalEntry): JournalEntry {
  const dropped = entry.dropped?.map(({ property, reason }) => ({
    property,
    reason: reason.slice(0, MAX_REASON),
  }));
  let { changes } = entry;
  // What was there before is cut last and least: it is what an undo brings back.
  for (const which of ['after', 'before'] as const)
    if (sizeOf(changes) > MAX_CHARACTERS) changes = shortened(changes, which);
  return { ...entry, changes, ...(dropped && { dropped }) };
}

function sizeOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0);
}

const SHARES = { before: 0.75, after: 0.25 } as const;

function shortened(changes: readonly Change[], which: 'before' | 'after'): Change[] {
  const limit = Math.floor((MAX_CHARACTERS * SHARES[which]) / changes.length);
  return changes.map((change) => {
    const value = change[which] ?? '';
    if (value.length <= limit) return change;
    const cut = [...new Set([...(change.cut ?? []), which])];
    return { ...change, [which]: value.slice(0, limit), cut };
  });
}
