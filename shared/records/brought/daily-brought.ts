import { withNamedAskers } from '#shared/crm';
import { type Clock, dayOf } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import { broughtDayKind } from '../stored-kinds.ts';
import type { Brought, BroughtDay } from './schemas.ts';

export interface DailyBrought {
  /**
   * Adds to today. Called once for many runs, after they are settled: what a crash leaves out is never counted, and
   * nothing is counted twice.
   */
  add(rows: readonly Brought[]): Promise<void>;
  /** What was brought on these days (`2026-11-21`), summed up. Reads an item a day. */
  read(days: readonly string[]): Promise<readonly Brought[]>;
}

interface Services {
  readonly items: VersionedItems<BroughtDay>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

export function createDailyBrought({ items, clock, timeZone }: Services): DailyBrought {
  return {
    add: async (rows) => {
      if (rows.length === 0) return;
      const key = broughtDayKind.key(dayOf(clock.now(), timeZone));
      await change(items, { key, kind: 'what a day brought', clock }, (day) => ({
        value: { rows: sumBrought(withNamedAskers([...(day?.rows ?? []), ...rows])) },
      }));
    },
    read: async (days) => {
      const read = await Promise.all([...new Set(days)].map((day) => items.read(broughtDayKind.key(day))));
      return sumBrought(read.flatMap((item) => item?.value.rows ?? []));
    },
  };
}

function sumBrought(rows: readonly Brought[]): Brought[] {
  const sums = new Map<string, Brought>();
  for (const row of rows) {
    const key = [row.purpose, row.kind, row.rule, row.askedBy].join('\n');
    const { runs = 0, fields = 0 } = sums.get(key) ?? {};
    sums.set(key, { ...row, runs: runs + row.runs, fields: fields + row.fields });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
