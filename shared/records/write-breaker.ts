import type { ObjectType } from '#shared/crm';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { WriteBreaker } from './schemas.ts';
import { writeBreakerKind } from './stored-kinds.ts';

/**
 * HubSpot's refusals of what was paid for, by object type:
 *
 *   closed --a refusal--> counting --the third in a row--> open --probeAtMs--> one may ask --written--> closed
 *
 * While it is open nothing more is bought that could not be written. What was bought waits and is tried again at no
 * cost; the first of it that is written closes the breaker.
 */
const CLOSED: WriteBreaker = { refusals: 0 };
const MAX_REFUSALS = 3;

export interface WriteBreakers {
  /** Whether something may be bought for a record of this type; of those that come when it is time to probe, one. */
  pass(objectType: ObjectType): Promise<{ readonly untilMs?: number | undefined }>;
  learn(objectType: ObjectType, lesson: WriteObservation): Promise<void>;
  /** Why nothing more is bought, and since when; nothing where all is well. */
  open(objectType: ObjectType): Promise<Open | undefined>;
}

/** What came of a batch: that some of it was written, or else how many records HubSpot refused, and why. */
export type WriteObservation =
  | { readonly kind: 'written' }
  | { readonly kind: 'refused'; readonly count: number; readonly reason: string };

type Open = NonNullable<WriteBreaker['open']>;

interface Services {
  readonly items: VersionedItems<WriteBreaker>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export function createWriteBreakers({ items, clock }: Services): WriteBreakers {
  const decide = <D extends { readonly value?: WriteBreaker | undefined }>(
    objectType: ObjectType,
    by: (state: WriteBreaker) => D,
  ) =>
    change(items, { key: writeBreakerKind.key(objectType), kind: 'write breaker', clock }, (known) =>
      by(known ?? CLOSED),
    );
  return {
    pass: (objectType) => decide(objectType, (state) => passage(state, clock.now())),
    learn: async (objectType, lesson) => {
      await decide(objectType, (state) => ({ value: learned(state, lesson, clock.now()) }));
    },
    open: async (objectType) => (await items.read(writeBreakerKind.key(objectType)))?.value.open,
  };
}

function passage(
  { open, refusals }: WriteBreaker,
  nowMs: number,
): { readonly untilMs?: number; readonly value?: WriteBreaker } {
  if (!open) return {};
  if (nowMs < open.probeAtMs) return { untilMs: open.probeAtMs };
  return { value: { refusals, open: { ...open, probeAtMs: nowMs + probing(open.sinceMs, nowMs) } } };
}

/** The next state; nothing where it stays as it is. */
function learned(
  { refusals, open }: WriteBreaker,
  lesson: WriteObservation,
  nowMs: number,
): WriteBreaker | undefined {
  if (lesson.kind === 'written') return refusals === 0 ? undefined : CLOSED;
  const count = refusals + lesson.count;
  const { reason } = lesson;
  if (open) return { refusals: count, open: { ...open, reason } };
  if (count < MAX_REFUSALS) return { refusals: count };
  return { refusals: count, open: { reason, sinceMs: nowMs, probeAtMs: nowMs + probing(nowMs, nowMs) } };
}

/** The rule may hold for some records only, and fresh leads wait behind it; what a probe buys is kept, whatever comes of it. */
function probing(sinceMs: number, nowMs: number): number {
  return Math.min(HOUR_MS, patience(sinceMs, nowMs));
}

/** How long to leave alone what HubSpot has refused since then: the longer it did, the longer. */
export function patience(sinceMs: number, nowMs: number): number {
  return Math.min(DAY_MS, Math.max(15 * MINUTE_MS, nowMs - sinceMs));
}
