import type { SpendReport } from '../report.ts';

/** ` (€12.50)` after a number of credits; empty if the policy has no price. */
export function moneyFor(credits: number, { creditPrice }: Pick<SpendReport, 'creditPrice'>): string {
  if (!creditPrice) return '';
  const { amount, currency } = creditPrice;
  return ` (${new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(credits * amount)})`;
}
