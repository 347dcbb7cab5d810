import { isDeepStrictEqual } from 'node:util';

/** Facts that are looked at one after the other, each told and counted. */
export interface Checklist {
  /**
   * Runs `fact`: passed unless it throws. What it returns is told beside its name.
   * @throws Ended when nothing of what comes after it can be looked at without it
   */
  check(
    name: string,
    fact: () => Promise<string | undefined>,
    options?: { readonly isBasis?: boolean },
  ): Promise<void>;
  readonly counts: { readonly passed: number; readonly failed: number };
}

/** Nothing more can be looked at. */
export class Ended extends Error {}

/** @param onFailure is told to show what else may explain it. */
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
        if (isBasis) throw new Ended(`Nothing else can be looked at without: ${name}.`);
      }
    },
  };
}

/** @throws Error that tells what was found instead */
export function same(what: string, found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}.`);
}

/** @throws Error with the sentence unless it holds */
export function holds(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

/** What takes seconds on a machine that is free may take long on a busy one; whoever waits has lost nothing by it. */
export const PATIENCE_S = 180;

/** Looks again and again until something is there. @throws Error that tells what was last seen */
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
