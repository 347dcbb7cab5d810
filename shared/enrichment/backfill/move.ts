import { type Clock, DAY_MS } from '#shared/kernel';
import { change } from '#shared/versioned-items';
import type { BackfillItems } from './members.ts';
import type { Backfill } from './schemas.ts';
import { backfillKind } from './stored-kinds.ts';
import {
  approved,
  type CanarySize,
  canaryOf,
  paused,
  resumed,
  spentOf,
  started,
  stopped,
} from './transitions.ts';

/** What a person may do with a backfill. */
export type BackfillMove =
  | {
      readonly kind: 'start' | 'approve';
      /** The highest price that the person saw; a higher one by now is refused. */
      readonly maxCredits?: number | undefined;
      /** Agrees to the rest too, as far as the quote reaches. */
      readonly agreedBeforehand?: boolean;
    }
  | { readonly kind: 'pause' | 'resume' | 'stop' };

export type BackfillMoved =
  | { readonly kind: 'moved'; readonly backfill: Backfill }
  | { readonly kind: 'unknown' | 'too-old' }
  /** The price of the step is higher than the person saw. */
  | { readonly kind: 'dearer'; readonly maxCredits: number }
  /** The step does not fit the state. */
  | { readonly kind: 'refused'; readonly state: Backfill['state'] };

interface MoveServices extends Pick<BackfillItems, 'backfills'> {
  readonly canary: CanarySize;
  readonly clock: Clock;
}

/** Carries out a person's decision about a backfill. Repeated, it finds the state that it made, and is refused. */
export async function moveBackfill(
  { backfills, canary, clock }: MoveServices,
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
        const maxCredits = priceOfStep(known, canary);
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
      return started(backfill, { agreedBeforehand: move.agreedBeforehand ?? false, nowMs });
    case 'approve':
      return approved(backfill);
    case 'resume':
      return resumed(backfill);
    case 'stop':
      return stopped(backfill, nowMs);
    case 'pause':
      return paused(backfill, {
        ...{ by: 'person', reason: 'Paused by a person.', examples: [], atMs: nowMs },
      });
  }
}

/** Records, answers and the policy change: after this time, a quote must be made again. */
const VALID_MS = 30 * DAY_MS;

export function isOldQuote({ state, createdAtMs }: Backfill, nowMs: number): boolean {
  return state === 'quoted' && nowMs >= createdAtMs + VALID_MS;
}

/** The highest price of the step that waits for a person, credits: of the trial, or of all records after it. */
export function priceOfStep(backfill: Backfill, canary: CanarySize): number {
  const { state, strata, afterCanary } = backfill;
  if (state !== 'quoted') return Math.max(0, (afterCanary?.worst ?? 0) - spentOf(backfill));
  const sizes = canaryOf(strata, canary);
  return strata.reduce((sum, { maxCredits }, index) => sum + maxCredits * (sizes[index] ?? 0), 0);
}
