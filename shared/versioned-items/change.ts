import { type Race, untilWon } from './races.ts';
import type { VersionedItems } from './store.ts';

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
