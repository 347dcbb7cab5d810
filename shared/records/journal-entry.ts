import type { Purpose } from '../credit-ledger/entries.ts';
import type { QuestionOperation } from '../questions/question.ts';
import type { IndexPosition } from '../versioned-items/store.ts';
import type { ObjectType } from './crm-record.ts';
import type { OutcomeKind } from './record-state.ts';

/** What was written to one property. */
export interface Change {
  readonly property: string;
  /** `null` where there was nothing. */
  readonly before: string | null;
  /** As it was sent; once written, as HubSpot returned it. */
  readonly after: string;
  /**
   * `planned` before the write, and for as long as nobody knows whether it came through; a run that goes on after
   * a crash finds that out.
   */
  readonly state: 'planned' | 'written' | 'refused';
}

/** Everything that one run wrote to HubSpot, and why. Holds values: purged with its person, and expires by policy. */
export interface JournalEntry {
  readonly objectType: ObjectType;
  readonly id: string;
  /** The record's runs are counted from 1. */
  readonly run: number;
  readonly kind: 'enrichment' | 'undo';
  readonly purpose: Purpose;
  readonly eventKeys: readonly string[];
  readonly policyVersion: string;
  readonly outcome: OutcomeKind;
  readonly reason: string;
  /** The question that the values come from; absent where none was answered. */
  readonly question?:
    | { readonly key: string; readonly operation: QuestionOperation; readonly askedAtMs: number }
    | undefined;
  /** What the run was charged. */
  readonly credits: number;
  readonly changes: readonly Change[];
  /** Epoch milliseconds of the first write. */
  readonly atMs: number;
  /** Its person was forgotten: every value is gone, and none is written any more. */
  readonly purged?: boolean | undefined;
}

interface RecordName {
  readonly objectType: ObjectType;
  readonly id: string;
}

export function journalKey({ objectType, id }: RecordName, run: number): string {
  return `journal#${objectType}#${id}#${run}`;
}

/** Days in UTC partition the journal, so that a window of time can be listed. */
export function journalDay(atMs: number): string {
  return `journal#${new Date(atMs).toISOString().slice(0, 10)}`;
}

export function journalPlace({ atMs }: JournalEntry): IndexPosition {
  return { partition: journalDay(atMs), order: atMs };
}

/** What a run that goes on wants to write, put to what it had planned before: the first `before` is the true one. */
export function withPlan(known: JournalEntry, planned: JournalEntry): JournalEntry {
  const wanted = new Map(planned.changes.map((change) => [change.property, change]));
  const kept = known.changes.filter(({ property, state }) => !wanted.has(property) && state !== 'planned');
  const changes = planned.changes.map((change) => {
    const earlier = known.changes.find(({ property }) => property === change.property);
    return earlier?.state === 'written' ? { ...change, before: earlier.before } : change;
  });
  return { ...planned, atMs: known.atMs, changes: [...kept, ...changes] };
}

/** What HubSpot made of the planned changes: `stored` is the record as it returned it, `refused` where it would not. */
export function withResult(
  entry: JournalEntry,
  result: { readonly stored: Readonly<Record<string, string | null>> } | 'refused',
): JournalEntry {
  const changes = entry.changes.map((change): Change => {
    if (change.state !== 'planned') return change;
    if (result === 'refused') return { ...change, state: 'refused' };
    return { ...change, after: result.stored[change.property] ?? change.after, state: 'written' };
  });
  return { ...entry, changes };
}

/** What is left of an entry, or stands in its place, once the record's person is forgotten. */
export function purgedEntry({ objectType, id }: RecordName, run: number, atMs: number): JournalEntry {
  return {
    ...{ objectType, id, run, atMs, kind: 'enrichment', purpose: 'live', outcome: 'skipped' },
    ...{ eventKeys: [], policyVersion: '', reason: '', credits: 0, changes: [], purged: true },
  };
}
