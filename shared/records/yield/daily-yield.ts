import { withNamedAskers } from '#shared/crm';
import { type Clock, dayOf } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import { dailyYieldKind } from '../stored-kinds.ts';
import type { YieldCount, YieldOfDay } from './schemas.ts';

export interface DailyYield {
  /**
   * Adds to today's sums. It is called one time after many runs have settled. A crash may lose a count, but nothing is
   * counted twice.
   */
  add(rows: readonly YieldCount[]): Promise<void>;
  /** Sums up the yield of these days (`2026-11-21`). It reads one item for each day. */
  read(days: readonly string[]): Promise<readonly YieldCount[]>;
}

interface Services {
  readonly items: VersionedItems<YieldOfDay>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** IANA name of the ledger's time zone. */
  readonly timeZone: string;
}

export function createDailyYield({ items, clock, timeZone }: Services): DailyYield {
  return {
    add: async (rows) => {
      if (rows.length === 0) return;
      const key = dailyYieldKind.key(dayOf(clock.now(), timeZone));
      await change(items, { key, kind: 'yield of a day', clock }, (day) => ({
        value: { rows: sumYields(withNamedAskers([...(day?.rows ?? []), ...rows])) },
      }));
    },
    read: async (days) => {
      const read = await Promise.all([...new Set(days)].map((day) => items.read(dailyYieldKind.key(day))));
      return sumYields(read.flatMap((item) => item?.value.rows ?? []));
    },
  };
}

/** Share of matches among answered runs, 0 to 1; `undefined` if no run was answered. */
export function matchRateIn(rows: readonly YieldCount[]): number | undefined {
  const runs = (...kinds: YieldCount['kind'][]) =>
    rows.reduce((sum, row) => sum + (kinds.includes(row.kind) ? row.runs : 0), 0);
  const matched = runs('filled', 'confirmed');
  const answered = matched + runs('unmatched', 'review');
  return answered > 0 ? matched / answered : undefined;
}

function sumYields(rows: readonly YieldCount[]): YieldCount[] {
  const sums = new Map<string, YieldCount>();
  for (const row of rows) {
    const key = [row.purpose, row.kind, row.rule, row.askedBy].join('\n');
    const { runs = 0, fields = 0 } = sums.get(key) ?? {};
    sums.set(key, { ...row, runs: runs + row.runs, fields: fields + row.fields });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
