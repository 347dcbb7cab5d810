import { command, counted, figure, type Wording, wording } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';

/** The ledger's balance, and amounts that it does not contain or prove. */
export interface LedgerBalance {
  /** Granted and adjusted credits minus posted ones, since the first entry. */
  readonly credits: number;
  /** Credits of requests in progress. */
  readonly pendingCredits: number;
  /** Credits of requests in doubt. */
  readonly doubtfulCredits: number;
  /** Doubts that were booked as charged without a proof. The dashboard's balance may be higher by these credits. */
  readonly bookedDoubts: BookedDoubts | undefined;
}

type BalanceComparison =
  | { readonly kind: 'equal' }
  /** The dashboard may contain charges that the ledger books later. An adjustment would count them twice. */
  | { readonly kind: 'open'; readonly words: Wording }
  | { readonly kind: 'different'; readonly words: Wording };

/** Compares the ledger with the balance on the data service's dashboard. */
export function compareBalance(known: LedgerBalance, balance: number): BalanceComparison {
  const { credits, pendingCredits, doubtfulCredits, bookedDoubts } = known;
  if (balance === credits) return { kind: 'equal' };
  const both = `The ledger has ${figure(credits)}, the dashboard ${figure(balance)}`;
  if (doubtfulCredits > 0) {
    const words = wording`${both}, and ${counted(doubtfulCredits, 'credit')} in doubt. An adjustment now could count them twice: first decide each doubt, see ${command('doubts list')}`;
    return { kind: 'open', words };
  }
  if (pendingCredits > 0) {
    const words = wording`${both}, and requests for ${counted(pendingCredits, 'credit')} are in progress. An adjustment now could count them twice: compare again in a minute, or first stop spending with ${command('spend stop')}`;
    return { kind: 'open', words };
  }
  const booked =
    bookedDoubts && bookedDoubts.doubts.length > 0
      ? wording` (${counted(bookedDoubts.credits, 'credit')} of doubts were booked as charged without a proof: settle those first, see ${command('doubts list')})`
      : '';
  return {
    kind: 'different',
    words: wording`${both}${booked}: book an adjustment of ${signedCredits(balance - credits)}`,
  };
}

export function signedCredits(credits: number): string {
  return `${credits > 0 ? '+' : '-'}${counted(Math.abs(credits), 'credit')}`;
}
