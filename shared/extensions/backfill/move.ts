import { askerWords } from '#shared/crm';
import { type Clock, DAY_MS } from '#shared/kernel';
import type { BackfillLimits } from '#shared/spend';
import { change } from '#shared/store';
import type { Backfill } from './schemas.ts';
import { type BackfillItems, backfillKind } from './stored-kinds.ts';
import { approved, atMostOf, paused, resumed, spentOf, started, stopped, trialOf } from './transitions.ts';

/** Decision of a person about a backfill. */
type BackfillMove =
  | {
      readonly kind: 'start' | 'approve';
      /** The highest price that the person saw. If the price is higher now, the decision is refused. */
      readonly maxCredits?: number | undefined;
      /** The person also agrees to the records after the trial, up to the quoted price. */
      readonly agreedBeforehand?: boolean;
      /** Limits that the person gave. */
      readonly limits?: BackfillLimits | undefined;
      /** The person who decides, such as `user:12345`. Absent for the command line. */
      readonly by?: string | undefined;
    }
  | { readonly kind: 'pause'; readonly by: string }
  | { readonly kind: 'resume' | 'stop' };

export type BackfillMoved =
  | { readonly kind: 'moved'; readonly backfill: Backfill }
  | { readonly kind: 'unknown' | 'too-old' }
  /** The price of the step is higher than the price that the person saw. */
  | { readonly kind: 'dearer'; readonly maxCredits: number }
  /** The step does not fit the state. */
  | { readonly kind: 'refused'; readonly state: Backfill['state'] };

interface MoveServices extends Pick<BackfillItems, 'backfills'> {
  readonly clock: Clock;
}

/**
 * Carries out a person's decision about a backfill. A repeated decision is refused, because the state has already
 * changed.
 */
export async function moveBackfill(
  { backfills, clock }: MoveServices,
  id: string,
  move: BackfillMove,
): Promise<BackfillMoved> {
  const item = { key: backfillKind.key(id), kind: 'backfill', clock };
  const { moved } = await change(
    backfills,
    item,
    (known): { moved: BackfillMoved; value?: Backfill | undefined } => {
      if (!known) return { moved: { kind: 'unknown' } };
      const nowMs = clock.now();
      if (isOldQuote(known, nowMs) && move.kind === 'start') return { moved: { kind: 'too-old' } };
      if (move.kind === 'start' || move.kind === 'approve') {
        const maxCredits = priceOfStep(known);
        if (move.maxCredits !== undefined && maxCredits > move.maxCredits)
          return { moved: { kind: 'dearer', maxCredits } };
      }
      const value = nextOf(known, move, nowMs);
      if (!value || value === known) return { moved: { kind: 'refused', state: known.state } };
      return { moved: { kind: 'moved', backfill: value }, value };
    },
  );
  return moved;
}

function nextOf(backfill: Backfill, move: BackfillMove, nowMs: number): Backfill | undefined {
  switch (move.kind) {
    case 'start':
      return started(backfill, {
        agreedBeforehand: move.agreedBeforehand ?? false,
        agreed: move.limits ?? {},
        by: move.by ?? 'operator',
        nowMs,
      });
    case 'approve':
      return approved(backfill, move.limits ?? {});
    case 'resume':
      return resumed(backfill);
    case 'stop':
      return stopped(backfill, nowMs);
    case 'pause':
      return paused(backfill, {
        by: 'person',
        askedBy: move.by,
        reason: `${askerWords(move.by)} paused it.`,
        examples: [],
        atMs: nowMs,
      });
  }
}

/** After this time a new quote is needed, because records, answers and the policy may have changed. */
const VALID_MS = 30 * DAY_MS;

export function isOldQuote({ state, createdAtMs }: Backfill, nowMs: number): boolean {
  return state === 'quoted' && nowMs >= createdAtMs + VALID_MS;
}

/** Returns the highest price, in credits, of the step that a person must decide: the trial, or all records after it. */
export function priceOfStep(backfill: Backfill): number {
  const { state, strata } = backfill;
  if (state !== 'quoted') return atMostOf(strata) - spentOf({ strata });
  const sizes = trialOf(backfill);
  return strata.reduce((sum, { maxCredits }, index) => sum + maxCredits * (sizes[index] ?? 0), 0);
}
