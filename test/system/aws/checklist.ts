import { isDeepStrictEqual } from 'node:util';

/** Checks facts one after another. Reports and counts each. */
export interface Checklist {
  /**
   * Runs `fact`; it passes unless it throws. Prints its result beside its name.
   * @throws Ended if no later fact can be checked without it
   */
  check(
    name: string,
    fact: () => Promise<string | undefined>,
    options?: { readonly isBasis?: boolean },
  ): Promise<void>;
  readonly counts: { readonly passed: number; readonly failed: number };
}

/** No further fact can be checked. */
export class Ended extends Error {}

/** @param onFailure called to print possible causes. */
export function createChecklist(say: (line: string) => void, onFailure: () => void): Checklist {
  const counts = { passed: 0, failed: 0 };
  return {
    counts,
    check: async (name, fact, { isBasis = false } = {}) => {
      const startedMs = performance.now();
      const took = () => `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`;
      try {
        const remark = await fact();
        counts.passed += 1;
        say(`passed  ${name} (${took()})${remark === undefined ? '' : `: ${remark}`}`);
      } catch (error) {
        counts.failed += 1;
        say(`FAILED  ${name} (${took()}): ${error instanceof Error ? error.message : String(error)}`);
        onFailure();
        if (isBasis) throw new Ended(`No other fact can be checked without: ${name}.`);
      }
    },
  };
}

/** @throws Error with the found value */
export function same(what: string, found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}.`);
}

/** @throws Error with the sentence, if the condition is false */
export function holds(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

/** A generous limit: a busy machine takes longer, and waiting costs nothing. */
export const PATIENCE_S = 180;

/** Repeats a check until it has a result. @throws Error with the last found value */
export async function eventually<T>(
  what: string,
  look: () => Promise<{ readonly done: T } | { readonly seen: unknown }>,
  { withinS }: { readonly withinS: number },
): Promise<T> {
  const untilMs = performance.now() + withinS * 1_000;
  for (;;) {
    const found = await look();
    if ('done' in found) return found.done;
    if (performance.now() > untilMs) {
      throw new Error(`${what} did not come within ${withinS} s; last seen: ${JSON.stringify(found.seen)}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
