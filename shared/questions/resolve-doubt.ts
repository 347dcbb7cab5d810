import type { Versioned } from '../versioned-items/store.ts';
import { bookVerdict } from './ask/book.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { type Asking, nextFence, type QuestionItem } from './item.ts';

export interface Resolution {
  readonly questionKey: string;
  /** What the vendor's own records say. */
  readonly charged: boolean;
  /** Why; goes into the ledger, so no personal data. */
  readonly note: string;
}

export type Resolved =
  | { readonly kind: 'resolved'; readonly credits: number }
  /** No such doubt: resolved already, or the answer came after all. */
  | { readonly kind: 'no-doubt' }
  /** The asker may still come back with an answer. Epoch milliseconds. */
  | { readonly kind: 'too-early'; readonly notBeforeMs: number };

type Deps = Pick<GatewayDeps, 'items' | 'ledger' | 'clock'>;

/**
 * Ends a doubt with what a person, or the policy, knows of it: booked as charged at its worst case or not at
 * all. The question may then be asked again. Its fence is raised, so that the lost asker is recognised should it
 * ever come back; what it then proves is booked all the same.
 * @param graceMs the longest lifetime of a function: before that, nobody can know that the asker is gone.
 */
export async function resolveDoubt(
  deps: Deps,
  resolution: Resolution,
  { graceMs }: { graceMs: number },
): Promise<Resolved> {
  for (;;) {
    const stored = await deps.items.read(resolution.questionKey);
    const asking = stored?.value.asking;
    if (!stored || asking?.state !== 'doubt') return { kind: 'no-doubt' };
    const notBeforeMs = (asking.deadlineAtMs ?? 0) + graceMs;
    if (deps.clock.now() < notBeforeMs) return { kind: 'too-early', notBeforeMs };
    const settled = verdictOf(asking, resolution);
    if (!(await write(deps, stored, settled))) continue;
    await bookVerdict(deps, settled);
    return { kind: 'resolved', credits: settled.charge?.credits ?? 0 };
  }
}

function verdictOf(asking: Asking, { charged, note }: Resolution): Asking {
  const credits = charged ? asking.worstCaseCredits : 0;
  return { ...asking, state: 'settled', charge: { credits, reason: `resolved: ${note}` } };
}

/** The verdict stands on the item before it is in the ledger, as every verdict does. */
async function write(
  deps: Deps,
  { value, version }: Versioned<QuestionItem>,
  asking: Asking,
): Promise<boolean> {
  const resolved = { ...value, asking, fence: nextFence(value, deps.clock.now()) };
  return (
    (await deps.items.write({ key: value.key, value: resolved, expectedVersion: version })) === 'written'
  );
}
