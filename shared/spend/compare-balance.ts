import { command, counted, figure, type Wording, wording } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';

/** Balance that the ledger comes to, and what may explain a difference. */
export interface LedgerBalance {
  /** Granted + adjusted - posted since the first entry. */
  readonly credits: number;
  /** Under way or in doubt: may explain a difference that is not there for good. */
  readonly openCredits: number;
  /** Booked as charged without a proof: the dashboard may show so many more. */
  readonly bookedDoubts: BookedDoubts | undefined;
}

/** Compares with the balance that the data service's dashboard shows. `undefined` where both agree. */
export function balanceDifference(
  { credits, openCredits, bookedDoubts }: LedgerBalance,
  balance: number,
): Wording | undefined {
  if (balance === credits) return undefined;
  const booked =
    bookedDoubts && bookedDoubts.doubts.length > 0
      ? wording` (${counted(bookedDoubts.credits, 'credit')} of doubts were booked as charged without a proof: settle those first, see ${command('doubts list')})`
      : '';
  const open = openCredits > 0 ? ` (${counted(openCredits, 'credit')} are open and may explain it)` : '';
  return wording`The ledger has ${figure(credits)}, the dashboard ${figure(balance)}${open}${booked}: book an adjustment of ${signedCredits(balance - credits)}`;
}

export function signedCredits(credits: number): string {
  return `${credits > 0 ? '+' : '-'}${counted(Math.abs(credits), 'credit')}`;
}
