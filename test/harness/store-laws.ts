import { budgetStates } from '#inside/credit-ledger/budgets.ts';
import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import { rateLimiterStateSchema } from '#inside/rate-limiter/schemas.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import type { Policy } from '#shared/field-policy';
import { rateLimiterKind } from '#shared/rate-limiter';
import { lostRuns, type RecordState, recordKind, runCounts } from '#shared/records';
import type { Store } from '#shared/store';
import { putsOf, watchedStore } from './watched-store.ts';

/** Checks everything that is stored against the invariants of its kind. */
export function lawfulStore(
  store: Store,
  { policy, onViolation }: { readonly policy: Policy; readonly onViolation: (what: string) => void },
): Store {
  return watchedStore(store, async (request, send) => {
    // Reads may return damaged data; writes may not contain any.
    for (const { value } of putsOf(request, rateLimiterKind)) rateLimiterStateSchema.parse(value);
    const result = await send();
    if (Object(result).kind !== 'done') return result;
    for (const { value } of putsOf(request, recordKind)) {
      const broken = brokenLawOf(value);
      if (broken) onViolation(`${value.objectType} ${value.id}: ${broken}`);
    }
    for (const { value } of putsOf(request, ledgerEntryKind)) checkBudgets(value, { policy, onViolation });
    return result;
  });
}

/** Checks at every step that opened = outcomes + waiting + running. A worker holds a run, or the run waits. */
function brokenLawOf(state: RecordState): string | undefined {
  const counts = runCounts(state);
  if (lostRuns(counts) !== 0) return `runs are lost: ${JSON.stringify(counts)}`;
  return !state.run && (state.claim || state.waiting) ? 'held or waiting without a run' : undefined;
}

/**
 * Checks that pending, posted and doubtful credits stay within every budget, after every entry except a charge proved
 * late.
 */
function checkBudgets(
  { kind, totals, atMs: nowMs }: LedgerEntry,
  { policy, onViolation }: Parameters<typeof lawfulStore>[1],
): void {
  if (kind === 'late') return;
  const { budgets, timeZone } = policy;
  for (const { budget, leftCredits } of budgetStates({ totals, budgets, nowMs, timeZone }))
    if (leftCredits < 0) onViolation(`budget ${budget} is overdrawn by ${-leftCredits}`);
}
