import { command, counted, figure, type Wording, wording } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';

/** The ledger's balance, and amounts that may explain a difference. */
export interface LedgerBalance {
  /** Granted and adjusted credits minus posted ones, since the first entry. */
  readonly credits: number;
  /** Credits of requests in progress or in doubt. They may explain a temporary difference. */
  readonly openCredits: number;
  /** Doubts that were booked as charged without a proof. The dashboard's balance may be higher by these credits. */
  readonly bookedDoubts: BookedDoubts | undefined;
}

/** Compares the ledger with the balance on the data service's dashboard; `undefined` if they agree. */
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
