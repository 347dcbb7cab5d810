import { PURPOSES, type Purpose } from '#shared/crm/purpose.ts';
import type { RecordItems } from '#shared/records/change-record.ts';
import { placeInTurn, WAITING_PLACES } from '#shared/records/record-state.ts';
import type { SpendRow } from './schemas.ts';

/** Records that wait for their turn, by what they are for. */
export interface WaitingLine {
  readonly purpose: Purpose;
  readonly records: number;
  /** When the run of the one that waits longest was opened, epoch milliseconds. */
  readonly oldestMs: number;
  /** Days until all have had their turn, at what the purpose's charges cost on average and the budgets leave for it. */
  readonly days?: number;
}

export interface WhoWaits {
  /** The most urgent first; only where anybody waits. */
  readonly inTurn: readonly WaitingLine[];
  /** Records that wait for a time to come, such as that of HubSpot's next try. */
  readonly forATime: number;
}

export interface WaitingSources {
  readonly records: Pick<RecordItems, 'count' | 'list'>;
  /** Credits a day that the budgets leave for a purpose. */
  readonly perDay: (purpose: Purpose) => Promise<number>;
}

/** Counts exactly, which costs a read of every waiting record: for those who look, not for every minute. */
export async function whoWaits(sources: WaitingSources, rows: readonly SpendRow[]): Promise<WhoWaits> {
  const { records } = sources;
  const lines = await Promise.all(PURPOSES.map((purpose) => lineOf(sources, rows, purpose)));
  const timed = WAITING_PLACES.filter((place) => place.startsWith('waiting-'));
  const counts = await Promise.all(timed.map((place) => records.count(place)));
  return { inTurn: lines.flat(), forATime: counts.reduce((sum, count) => sum + count, 0) };
}

async function lineOf(
  { records, perDay }: WaitingSources,
  rows: readonly SpendRow[],
  purpose: Purpose,
): Promise<WaitingLine[]> {
  const partition = placeInTurn(purpose);
  const [oldest] = await records.list({ partition, limit: 1 });
  if (!oldest?.run) return [];
  const [count, creditsPerDay] = [await records.count(partition), await perDay(purpose)];
  const each = costOfOne(rows, purpose);
  const days = creditsPerDay > 0 ? Math.ceil((count * each) / creditsPerDay) : undefined;
  return [{ purpose, records: count, oldestMs: oldest.run.openedAtMs, ...(days !== undefined && { days }) }];
}

/** Credits a charge; of all purposes where this one has none yet, and 1 where there is none at all. */
function costOfOne(rows: readonly SpendRow[], purpose: Purpose): number {
  for (const some of [rows.filter((row) => row.purpose === purpose), rows]) {
    const count = some.reduce((sum, row) => sum + row.count, 0);
    if (count > 0) return some.reduce((sum, { credits }) => sum + credits, 0) / count;
  }
  return 1;
}
