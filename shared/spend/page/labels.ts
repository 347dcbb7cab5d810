import { budgetParts } from '#shared/credit-ledger';
import { askerWords, PURPOSE_LABELS } from '#shared/crm';
import { LOOKUPS } from '#shared/questions';
import type { ChargeOutcome } from '../schemas.ts';
import { WITHOUT_ASKER } from '../selection.ts';

const OUTCOMES: Readonly<Record<ChargeOutcome, string>> = {
  match: 'Match',
  'no-match': 'No match',
  late: 'Charge proved late',
  other: 'Other, such as resolved doubts',
};

const LABELS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LOOKUPS).map(([name, lookup]) => [name, lookup.label] as const),
  ...Object.entries(PURPOSE_LABELS),
  ...Object.entries(OUTCOMES),
]);

/** Returns the name that people read. An unknown name is returned unchanged. */
export function label(name: string): string {
  return LABELS.get(name) ?? name;
}

/** The asker of a charge for a person. */
export function askerLabel(askedBy: string | undefined): string {
  return askerWords(askedBy ?? WITHOUT_ASKER);
}

/** Returns `Scheduled refresh, per day` for `refresh/day`. */
export function budgetLabel(budget: string): string {
  const { scope, period } = budgetParts({ budget });
  if (!period) return budget;
  return `${scope === 'total' ? 'All spend' : label(scope)}, per ${period}`;
}
