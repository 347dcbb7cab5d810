import type { Clock } from '#shared/kernel';
import type { BackfillReader } from '#shared/spend';
import type { OpenItems } from '#shared/store';
import { isOldQuote, priceOfStep } from './move.ts';
import type { Backfill } from './schemas.ts';
import { backfillItems, backfillKind } from './stored-kinds.ts';
import { daysLeft, summaryOf } from './summary.ts';
import { examplesOf } from './transitions.ts';

interface ReaderServices {
  readonly open: OpenItems;
  readonly clock: Clock;
}

/** Maximum number of backfills that are read. This is enough for more than a year; a command shows older ones. */
const MOST = 50;

/** Reads backfills for the pages. */
export function backfillReader({ open, clock }: ReaderServices): BackfillReader {
  const { backfills } = backfillItems({ open });
  const newest = () =>
    backfills.list({ partition: backfillKind.partition('backfills'), limit: MOST, newestFirst: true });
  return {
    started: async (stopped) =>
      (await newest())
        .filter(({ startedAtMs }) => startedAtMs !== undefined)
        .map((each) => summaryOf(each, stopped)),
    open: async (paceNow) => {
      const known = await newest();
      const open = known.filter((each) => isOpen(each, clock.now()) && !isReplaced(each, known));
      if (open.length === 0) return [];
      const pace = await paceNow();
      return open.map((backfill) => {
        const summary = summaryOf(backfill);
        const { startedBy, startedAtMs } = backfill;
        const started = { startedBy, startedAtMs, examples: examplesOf(backfill) };
        return { ...summary, ...started, maxCredits: priceOfStep(backfill), days: daysLeft(summary, pace) };
      });
    },
  };
}

function isOpen(backfill: Backfill, nowMs: number): boolean {
  const { state, strata } = backfill;
  if (state === 'quoted') return strata.length > 0 && !isOldQuote(backfill, nowMs);
  return state !== 'quoting' && state !== 'done' && state !== 'stopped';
}

/** Whether a backfill of the same records has started since the quote. */
function isReplaced({ state, scope, createdAtMs }: Backfill, known: readonly Backfill[]): boolean {
  const isSame = (other: Backfill['scope']) =>
    other.objectType === scope.objectType && other.words === scope.words && !scope.isList;
  return (
    state === 'quoted' &&
    known.some(({ scope: other, startedAtMs = 0 }) => startedAtMs > createdAtMs && isSame(other))
  );
}
