import { type Clock, type Random, UpstreamError } from '#shared/kernel';
import type { VersionedItems } from './store.ts';

export interface Race {
  /** What is raced for, for the error: `record`, `question` ... */
  readonly kind: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Spreads those who wait, where a crowd changes one item all the time. */
  readonly random?: Random | undefined;
  /** After the first lost race, milliseconds; longer where it is always a crowd. */
  readonly backoffMs?: number | undefined;
}

export interface Changed extends Race {
  readonly key: string;
  /** Mostly there is none yet: it is first tried without a read, so a decision on `undefined` must have a value. */
  readonly isMostlyNew?: boolean | undefined;
}

/**
 * Reads an item, decides, and writes what was decided on the condition that nothing came between; otherwise decides
 * anew. A decision without a `value` writes nothing.
 * @param decide `version` is 0 where there is no item.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, when the item cannot be changed within the bound.
 */
export function change<V, D extends { readonly value?: V | undefined }>(
  items: VersionedItems<V>,
  { key, isMostlyNew, ...race }: Changed,
  decide: (known: V | undefined, version: number) => D | Promise<D>,
): Promise<D> {
  return untilWon(race, async (lost) => {
    const stored = isMostlyNew && lost === 0 ? undefined : await items.read(key);
    const expectedVersion = stored?.version ?? 0;
    const decision = await decide(stored?.value, expectedVersion);
    if (decision.value === undefined) return decision;
    const written = await items.write({ key, value: decision.value, expectedVersion });
    return written === 'written' ? decision : undefined;
  });
}

/** Each lost race is another's success; so many in a row mean a store gone wrong, not workers in a crowd. */
const MAX_LOST_RACES = 200;
/** Doubles with each lost race up to the longest: who lost once is let by the crowd. Milliseconds. */
const BACKOFF_MS = 2;
const LONGEST_BACKOFF_MS = 200;

/**
 * Tries until nothing came between.
 * @param attempt `undefined` for a lost race; `lost` counts those before it.
 * @throws UpstreamError `ITEM_CONTENDED`, retryable, when each race within the bound is lost.
 */
export async function untilWon<R>(
  { kind, clock, random = () => 1, backoffMs = BACKOFF_MS }: Race,
  attempt: (lost: number) => Promise<R | undefined>,
): Promise<R> {
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const result = await attempt(lost);
    if (result !== undefined) return result;
    await clock.sleep(random() * Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** lost));
  }
  throw new UpstreamError({
    code: 'ITEM_CONTENDED',
    message: `The ${kind} changed ${MAX_LOST_RACES} times in a row while it was being written.`,
    retryable: true,
  });
}
