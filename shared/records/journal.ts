import type { RecordName } from '#shared/crm';
import { type Clock, DAY_MS, utcDay } from '#shared/kernel';
import { change, type IndexedItems, type ItemKey, type Known } from '#shared/store';
import {
  type JournalledResult,
  purgedEntry,
  storable,
  valueless,
  withPlan,
  withResult,
} from './journal-entry.ts';
import type { JournalEntry } from './schemas.ts';
import { journalKind } from './stored-kinds.ts';

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

export interface JournalServices {
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
