import type { RecordName } from '#shared/crm';
import type { Explanation } from '#shared/ownership';
import { because } from './explanations.ts';
import type { Change, JournalEntry } from './schemas.ts';

/** HubSpot's values after a write, or the properties whose write it refused. */
export type JournalledResult =
  | { readonly stored: Readonly<Record<string, string | null>> }
  | { readonly refused: readonly string[] }
  /** Result of the contact's association, which is not a property. */
  | { readonly association: Explanation };

/** Returns `run 3`. If the run belongs to another record, such as a merged one, returns `contacts/12 run 3`. */
export function runName(
  { objectType, id, run }: Pick<JournalEntry, 'objectType' | 'id' | 'run'>,
  of: RecordName,
): string {
  return id === of.id ? `run ${run}` : `${objectType}/${id} run ${run}`;
}

/** Whether the value is the one that the write stored. */
export function leaves({ after, cut }: Change, value: string | null): boolean {
  return cut?.includes('after') ? (value ?? '').startsWith(after) : (value ?? '') === after;
}

export function isUndo({ kind }: JournalEntry, { undone }: Change): boolean {
  return kind === 'undo' || undone === true;
}

/**
 * Adds the writes of a continued run to its journal entry. A write that is not planned again stays in the entry. It may
 * be in HubSpot, and only this entry has the old value.
 */
export function withPlan(known: JournalEntry, planned: JournalEntry): JournalEntry {
  const wanted = new Set(planned.changes.map(({ property }) => property));
  const wasUndo = known.kind === 'undo' && planned.kind === 'enrichment';
  const kept = known.changes
    .filter(({ property }) => !wanted.has(property))
    .map((change) => withAttemptTime(change, known.sentAtMs))
    .map((change) => (wasUndo ? { ...change, undone: true } : change));
  const changes = planned.changes.map((change) =>
    keepingFirstBefore(
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

/** Gives a change that is not sent again the time of its last attempt, because the result of this attempt is unknown. */
function withAttemptTime(change: Change, sentAtMs: number): Change {
  return change.state === 'planned' ? { sentAtMs, ...change } : change;
}

/**
 * Keeps the first `before` if this run overwrites its own value. If a person edited the value between the two writes,
 * the later `before` counts.
 */
function keepingFirstBefore(change: Change, earlier: Change | undefined): Change {
  if (earlier?.state !== 'written' || !leaves(earlier, change.before)) return change;
  return { ...change, before: earlier.before, ...(earlier.cut?.includes('before') && { cut: ['before'] }) };
}

/** Sets the result of the changes that `result` names. The other changes keep their state. */
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

/** Returns an entry without values, for a record whose person was forgotten. */
export function purgedEntry({ objectType, id }: RecordName, run: number, atMs: number): JournalEntry {
  return {
    ...{ objectType, id, run, atMs, sentAtMs: atMs, kind: 'enrichment', purpose: 'live', outcome: 'skipped' },
    ...{
      eventKeys: [],
      policyVersion: '',
      reason: because('forgotten'),
      credits: 0,
      changes: [],
      purged: true,
    },
  };
}

/** Removes every value from an entry. Keeps the names of its properties. */
export function valueless(entry: JournalEntry): JournalEntry {
  const { dropped: _, association: _text, ...rest } = entry;
  const changes = entry.changes.map(
    ({ property, state }): Change => ({ property, state, before: null, after: '' }),
  );
  return { ...rest, changes };
}

/**
 * DynamoDB allows 400 KB for each item, and HubSpot 65,536 characters for each property. A character takes at most
 * three bytes. So about 100 KB are left for the names and the other fields of the entry.
 */
const MAX_CHARACTERS = 100_000;
/** Longest reason for an unsent value, in characters. The reason may quote the value, so it can be long. */
const MAX_REASON = 200;

/** Shortens the longest values until the entry fits into an item. */
export function storable(entry: JournalEntry): JournalEntry {
  const dropped = entry.dropped?.map((one) => ({
    ...one,
    reason: one.reason.slice(0, MAX_REASON),
  }));
  let { changes } = entry;
  // `before` is cut last and least, because an undo restores it.
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
