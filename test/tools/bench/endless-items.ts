import type { LedgerEntry, LedgerStore } from '#shared/credit-ledger';
import type { RecordItems, RecordState } from '#shared/records';
import { OWNERS } from '#shared/store';

/** DynamoDB's rules: 4 KB for a unit, half a unit for an index read, and 1 MB for a page. */
const UNIT_BYTES = 4_096;
const PAGE_BYTES = 1_048_576;

export interface ReadCount {
  /** Capacity units read since the last call. */
  units(): number;
}

/** Equal records in some places, which take no memory, and the cost of reading them. */
export function endlessRecords(
  states: Readonly<Record<string, RecordState>>,
  counts: Readonly<Record<string, number>>,
): RecordItems & ReadCount {
  let units = 0;
  const bytesOf = (partition: string) => JSON.stringify(states[partition] ?? '').length;
  const readIndex = (partition: string, count: number) => {
    units += Math.max(0.5, Math.ceil((count * bytesOf(partition)) / UNIT_BYTES) / 2);
  };
  const some = (partition: string, count: number) => {
    const state = states[partition];
    readIndex(partition, count);
    return state ? Array.from({ length: count }, (_, nth) => ({ ...state, id: String(nth) })) : [];
  };
  const has = (partition: string) => counts[partition] ?? 0;
  return {
    units: () => {
      const read = units;
      units = 0;
      return read;
    },
    place: () => {
      throw new Error('No transaction is measured.');
    },
    read: async () => {
      units += 1;
      return undefined;
    },
    hold: async () => undefined,
    write: async ({ value }) => ({ value, version: 'a' }),
    list: async ({ partition, limit = Number.MAX_SAFE_INTEGER }) =>
      some(partition, Math.min(limit, has(partition))),
    count: async (partition, atMost = Number.MAX_SAFE_INTEGER) => {
      const count = Math.min(atMost, has(partition));
      readIndex(partition, count);
      return count;
    },
    page: async ({ partition, after = '0' }) => {
      const onPage = Math.floor(PAGE_BYTES / Math.max(1, bytesOf(partition)));
      const end = Math.min(has(partition), Number(after) + onPage);
      const values = some(partition, end - Number(after));
      return { values, ...(end < has(partition) && { next: String(end) }) };
    },
  };
}

/** A log with this many entries, of which only the last few are readable. An unbounded read fails. */
export function endlessLog(last: readonly LedgerEntry[], length: number): LedgerStore & ReadCount {
  let units = 0;
  const shift = length - last.length;
  const entries = last.map((entry, index) => ({ ...entry, seq: shift + index + 1 }));
  const read = (found: readonly LedgerEntry[]) => {
    const bytes = found.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
    units += Math.max(1, Math.ceil(bytes / UNIT_BYTES));
    return found;
  };
  return {
    units: () => {
      const count = units;
      units = 0;
      return count;
    },
    owners: OWNERS,
    newest: async () => read(entries.slice(-1))[0],
    append: async () => ({ kind: 'taken' }),
    entries: async ({ fromSeq, limit }) => {
      if (fromSeq <= shift) throw new Error('It reads what is old.');
      return read(entries.filter(({ seq }) => seq >= fromSeq).slice(0, limit));
    },
  };
}
