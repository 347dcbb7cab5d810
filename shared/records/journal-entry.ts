import type { RecordName } from '#shared/crm';
import type { Change, JournalEntry } from './schemas.ts';

/** By property: what HubSpot holds after a write of it, or that it refused the write of these. */
export type JournalledResult =
  | { readonly stored: Readonly<Record<string, string | null>> }
  | { readonly refused: readonly string[] }
  /** Beside the properties: what became of the contact's association. */
  | { readonly association: string };

/** `run 3`; of another record than the one that is spoken of, such as one that was merged into it, `contacts/12 run 3`. */
export function runName(
  { objectType, id, run }: Pick<JournalEntry, 'objectType' | 'id' | 'run'>,
  of: RecordName,
): string {
  return id === of.id ? `run ${run}` : `${objectType}/${id} run ${run}`;
}

/** Whether a value is the one that the write left behind. */
export function leaves({ after, cut }: Change, value: string | null): boolean {
  return cut?.includes('after') ? (value ?? '').startsWith(after) : (value ?? '') === after;
}

export function isUndo({ kind }: JournalEntry, { undone }: Change): boolean {
  return kind === 'undo' || undone === true;
}

/**
 * Adds the writes of a continued run to its planned ones. A write that is not planned again stays: it may be in HubSpot, and
 * only this entry has the old value.
 */
export function withPlan(known: JournalEntry, planned: JournalEntry): JournalEntry {
  const wanted = new Set(planned.changes.map(({ property }) => property));
  const wasUndo = known.kind === 'undo' && planned.kind === 'enrichment';
  const kept = known.changes
    .filter(({ property }) => !wanted.has(property))
    .map((change) => leftBehind(change, known.sentAtMs))
    .map((change) => (wasUndo ? { ...change, undone: true } : change));
  const changes = planned.changes.map((change) =>
    overEarlier(
      change,
      known.changes.find(({ property }) => property === change.property),
    ),
  );
  const { atMs, association, openUntilMs } = known;
  return {
    ...(openUntilMs !== undefined && { openUntilMs }),
    ...{ ...planned, atMs, changes: [...kept, ...changes] },
    eventKeys: [...new Set([...known.eventKeys, ...planned.eventKeys])],
    ...(association && { association }),
  };
}

/** For a change with an unknown result, the time of its attempt is kept: later attempts do not have it. */
function leftBehind(change: Change, sentAtMs: number): Change {
  return change.state === 'planned' ? { sentAtMs, ...change } : change;
}

/** Over a write of the same run, the first `before` is the true one; over what a person typed in between, the later. */
function overEarlier(change: Change, earlier: Change | undefined): Change {
  if (earlier?.state !== 'written' || !leaves(earlier, change.before)) return change;
  return { ...change, before: earlier.before, ...(earlier.cut?.includes('before') && { cut: ['before'] }) };
}

/** The fate of the planned changes that the result names; that of the others is unknown. */
export function withResult(entry: JournalEntry, result: JournalledResult): JournalEntry {
  if ('association' in result) return { ...entry, ...result };
  const changes = entry.changes.map((change): Change => {
    const { property, state } = change;
    if ('refused' in result)
      return state === 'planned' && result.refused.includes(property)
        ? { ...change, state: 'refused' }
        : change;
    if (state === 'written' || !Object.hasOwn(result.stored, property)) return change;
    const { cut, ...whole } = change;
    const after = result.stored[property] ?? change.after;
    return { ...whole, after, state: 'written', ...(cut?.includes('before') && { cut: ['before'] }) };
  });
  return { ...entry, changes };
}

/** What is left of an entry, or stands in its place, once the record's person is forgotten. */
export function purgedEntry({ objectType, id }: RecordName, run: number, atMs: number): JournalEntry {
  return {
    ...{ objectType, id, run, atMs, sentAtMs: atMs, kind: 'enrichment', purpose: 'live', outcome: 'skipped' },
    ...{ eventKeys: [], policyVersion: '', reason: '', credits: 0, changes: [], purged: true },
  };
}

/** An entry of which only the names of its properties may be known. */
export function valueless(entry: JournalEntry): JournalEntry {
  const { dropped: _, association: _text, ...rest } = entry;
  const changes = entry.changes.map(
    ({ property, state }): Change => ({ property, state, before: null, after: '' }),
  );
  return { ...rest, changes };
}

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
