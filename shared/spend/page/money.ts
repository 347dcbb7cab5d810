import type { SpendReport } from '../report.ts';

/** Returns the text that follows a number of credits, such as ` (€12.50)`. Empty if the policy has no price. */
export function moneyFor(credits: number, { creditPrice }: Pick<SpendReport, 'creditPrice'>): string {
  if (!creditPrice) return '';
  const { amount, currency } = creditPrice;
  return ` (${new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(credits * amount)})`;
}
