import type { RecordName } from '#shared/crm';
import { type Clock, DAY_MS, utcDay } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { change, type IndexedItems, type ItemKey, type Known } from '#shared/store';
import type { RecordItems } from './change-record.ts';
import { because } from './explanations.ts';
import { newRecordState } from './record-state.ts';
import type { Change, JournalEntry, RecordState } from './schemas.ts';
import { journalKind, recordKind } from './stored-kinds.ts';

export type JournalItems = IndexedItems<JournalEntry>;

/** The write journal: each value written to HubSpot, the value before it, and the reason. */
export interface Journal {
  /**
   * Stores the values before they are sent. It can be repeated for the same run.
   * @returns `forgotten` if the person's data were erased in the meantime. Then nothing must be written.
   */
  plan(entry: JournalEntry): Promise<'planned' | 'forgotten'>;
  /**
   * Stores HubSpot's result after the write. If no entry exists, the person's data were erased in the meantime, and it
   * does nothing.
   */
  confirm(record: RecordName, run: number, result: JournalledResult): Promise<void>;
  read(record: RecordName, run: number): Promise<JournalEntry | undefined>;
  /** Reads the entries of the runs 1 to `runs`, oldest first. Expired entries are missing. */
  ofRecord(record: RecordName, runs: number): Promise<readonly JournalEntry[]>;
  /** Reads the entries that began in the window, oldest first. Both ends are inclusive, epoch milliseconds. */
  between(window: { readonly fromMs: number; readonly toMs: number }): Promise<readonly JournalEntry[]>;
  /** Replaces everything stored about the run by this entry, without its values. */
  replace(entry: JournalEntry): Promise<void>;
  /**
   * Removes every value from a record's entries. A late worker cannot add one again.
   * @param last range of the removal. Entries whose last attempt was before `fromMs` stay.
   */
  purge(
    record: RecordName,
    last: { readonly runs: number; readonly nowMs: number; readonly fromMs?: number | undefined },
  ): Promise<void>;
}

/** Number of runs that are read concurrently. */
const CONCURRENT_READS = 25;

/** Maximum number of unconfirmed entries in memory: two full batches of writes. */
const MAX_UNCONFIRMED = 200;

interface JournalServices {
  readonly items: JournalItems;
  readonly clock: Pick<Clock, 'sleep'>;
}

export function createJournal({ items, clock }: JournalServices): Journal {
  /** Entries that this worker planned and did not confirm yet, oldest first. Confirming such an entry needs no read. */
  const unconfirmed = new Map<ItemKey, Known<JournalEntry>>();
  const entryOf = (record: RecordName, run: number) => ({
    key: journalKind.key({ ...record, run }),
    kind: 'journal entry',
    clock,
  });
  const read = async (record: RecordName, run: number) =>
    living((await items.read(entryOf(record, run).key))?.value);
  return {
    read,
    plan: async (entry) => {
      const place = { ...entryOf(entry, entry.run), isMostlyNew: true, written: unconfirmed };
      const { value } = await change(items, place, (known) => {
        if (known?.purged) return {};
        return { value: storable(known ? withPlan(known, entry) : entry) };
      });
      for (const oldest of unconfirmed.keys())
        if (unconfirmed.size > MAX_UNCONFIRMED) unconfirmed.delete(oldest);
      return value ? 'planned' : 'forgotten';
    },
    confirm: async (record, run, result) => {
      const place = entryOf(record, run);
      await change(items, { ...place, written: unconfirmed }, (known) => ({
        value: known && storable(withResult(known, result)),
      }));
      unconfirmed.delete(place.key);
    },
    ofRecord: async (record, runs) => {
      const found: JournalEntry[] = [];
      for (let first = 1; first <= runs; first += CONCURRENT_READS) {
        const count = Math.min(CONCURRENT_READS, runs - first + 1);
        const chunk = Array.from({ length: count }, (_, index) => read(record, first + index));
        found.push(...(await Promise.all(chunk)).filter((entry) => entry !== undefined));
      }
      return found;
    },
    between: async ({ fromMs, toMs }) => {
      const found: JournalEntry[] = [];
      for (const day of daysOf(fromMs, toMs)) {
        const partition = journalKind.partition(day);
        const listed = await items.list({ partition, from: fromMs, upTo: toMs });
        // Adds the entries one by one, because a busy day may have more entries than `push` accepts arguments.
        for (const entry of listed) if (entry.changes.length > 0) found.push(entry);
      }
      return found;
    },
    replace: async (entry) => {
      await change(items, { ...entryOf(entry, entry.run), written: unconfirmed }, (known) => ({
        value: known?.purged ? undefined : valueless(entry),
      }));
    },
    purge: async (record, { runs, nowMs, fromMs = 0 }) => {
      for (let run = 1; run <= runs; run += 1) {
        // The last run may be open, and its worker may plan later. So an empty entry is stored for it in any case.
        await change(items, { ...entryOf(record, run), isForgetting: true }, (known) => {
          if (known && known.sentAtMs < fromMs) return {};
          return {
            value: known || run === runs ? purgedEntry(record, run, known?.atMs ?? nowMs) : undefined,
          };
        });
      }
    },
  };
}

function living(entry: JournalEntry | undefined): JournalEntry | undefined {
  return entry && entry.changes.length > 0 ? entry : undefined;
}

function daysOf(fromMs: number, toMs: number) {
  const days: string[] = [];
  for (let at = fromMs; at < toMs; at += DAY_MS) days.push(utcDay(at));
  return [...new Set([...days, utcDay(toMs)])];
}

/** HubSpot's values after a write, or the properties whose write it refused. */
type JournalledResult =
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
function withPlan(known: JournalEntry, planned: JournalEntry): JournalEntry {
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
    ...planned,
    atMs,
    changes: [...kept, ...changes],
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
function purgedEntry({ objectType, id }: RecordName, run: number, atMs: number): JournalEntry {
  return {
    objectType,
    id,
    run,
    atMs,
    sentAtMs: atMs,
    kind: 'enrichment',
    purpose: 'live',
    outcome: 'skipped',
    eventKeys: [],
    policyVersion: '',
    reason: because('forgotten'),
    credits: 0,
    changes: [],
    purged: true,
  };
}

/** Removes every value from an entry. Keeps the names of its properties. */
function valueless(entry: JournalEntry): JournalEntry {
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
function storable(entry: JournalEntry): JournalEntry {
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

interface Services {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'ofRecord'>;
}

/**
 * Returns the record's state. For a merged record, returns the state of the merge winner. For an unknown record,
 * returns a new state.
 */
export async function livingState(
  { records }: Pick<Services, 'records'>,
  name: RecordName,
): Promise<RecordState> {
  const visited = new Set<string>();
  let state = await stateOf(records, name);
  while (state.mergedInto !== undefined && !visited.has(state.id)) {
    visited.add(state.id);
    state = await stateOf(records, { ...name, id: state.mergedInto });
  }
  return state;
}

async function stateOf(records: RecordItems, { objectType, id }: RecordName): Promise<RecordState> {
  return (await records.read(recordKind.key({ objectType, id })))?.value ?? newRecordState(objectType, id);
}

/** Returns the journal of the record and of all records that were merged into it, oldest first. */
export async function historyOf(services: Services, state: RecordState): Promise<readonly JournalEntry[]> {
  const states = new Map([[state.id, state]]);
  for (const { mergedFrom = [] } of states.values()) {
    for (const id of mergedFrom)
      if (!states.has(id)) states.set(id, await stateOf(services.records, { ...state, id }));
  }
  const entries: JournalEntry[] = [];
  for (const recordState of states.values())
    entries.push(...(await services.journal.ofRecord(recordState, recordState.runsOpened)));
  return entries.sort((a, b) => a.atMs - b.atMs);
}
