import { command, counted, figure, type Wording, wording } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';

/** Amounts that the ledger does not contain or prove. */
interface OpenCredits {
  /** Credits of requests in progress. */
  readonly pendingCredits?: number;
  /** Credits of requests with an unknown outcome. */
  readonly doubtfulCredits: number;
  /** Doubts that were booked as charged without a proof. The dashboard's balance may be higher by these credits. */
  readonly bookedDoubts?: BookedDoubts | undefined;
}

/** @param credits granted and adjusted credits minus posted ones, since the first entry. */
export type LedgerBalance = OpenCredits & { readonly credits: number };

export interface Bill {
  /** Lowest and highest credits that the data service can have charged. */
  readonly fewestCredits: number;
  readonly mostCredits: number;
  /** The sum in words, the same on every face. */
  readonly words: string;
}

/** Adds up the bill: what the ledger has, and each outcome that is not known or not proved. */
export function billOf({
  chargedCredits: charged,
  pendingCredits: pending = 0,
  doubtfulCredits: unknown,
  bookedDoubts,
}: Omit<OpenCredits, 'bookedDoubts'> & {
  readonly chargedCredits: number;
  readonly bookedDoubts?: Pick<BookedDoubts, 'credits'> | undefined;
}): Bill {
  const assumed = bookedDoubts?.credits ?? 0;
  const [fewestCredits, mostCredits] = [charged - assumed, charged + unknown + pending];
  const parts = [
    `Ledger ${figure(charged)}`,
    ...(unknown > 0 ? [`unknown outcomes 0 to ${figure(unknown)}`] : []),
    ...(pending > 0 ? [`in progress 0 to ${figure(pending)}`] : []),
    ...(assumed > 0 ? [`booked without a proof ${figure(-assumed)} to 0`] : []),
  ];
  const most = counted(mostCredits, 'credit');
  const bill = fewestCredits === mostCredits ? most : `${figure(fewestCredits)} to ${most}`;
  return { fewestCredits, mostCredits, words: `${parts.join(' + ')} = bill ${bill}.` };
}

interface Compared {
  readonly ledgerCredits: number;
  readonly dashboardCredits: number;
  /** Credits of the requests with an unknown outcome, in progress, or booked as charged without a proof. */
  readonly openCredits: number;
}

function both({ ledgerCredits, dashboardCredits }: Compared): string {
  return `The ledger has ${figure(ledgerCredits)}, the dashboard ${figure(dashboardCredits)}`;
}

function adjustment({ ledgerCredits, dashboardCredits }: Compared): string {
  return `book an adjustment of ${signedCredits(dashboardCredits - ledgerCredits)}`;
}

const COMPARED: Compared = { ledgerCredits: 1_087, dashboardCredits: 1_085, openCredits: 3 };

/** Results of a comparison with the dashboard, without the equal one: what differs, and what to do. */
export const BALANCE_TEXTS = {
  'in-doubt': {
    example: COMPARED,
    seen: (params: Compared) =>
      `${both(params)}, and ${counted(params.openCredits, 'credit')} with an unknown outcome.`,
    advice: () =>
      wording`An adjustment now could count them twice, so first decide each unknown outcome: ${command('doubts list')}`,
  },
  'in-progress': {
    example: COMPARED,
    seen: (params: Compared) =>
      `${both(params)}, and requests for ${counted(params.openCredits, 'credit')} are in progress.`,
    advice: () =>
      wording`An adjustment now could count them twice, so compare again in a minute, or first run: ${command('spend stop')}`,
  },
  unproved: {
    example: COMPARED,
    seen: (params: Compared) =>
      `${both(params)}; ${counted(params.openCredits, 'credit')} of doubts were booked as charged without a proof.`,
    advice: (params: Compared) =>
      wording`First settle these doubts (${command('doubts list')}), then ${adjustment(params)}`,
  },
  different: {
    example: COMPARED,
    seen: (params: Compared) => `${both(params)}: ${adjustment(params)}`,
    advice: () => '',
  },
} as const;

type BalanceCode = keyof typeof BALANCE_TEXTS;

type BalanceComparison =
  | { readonly kind: 'equal' }
  | {
      /** While requests are open, an adjustment could count charges twice that the ledger books later. */
      readonly kind: 'open' | 'different';
      readonly code: BalanceCode;
      readonly params: Compared;
      readonly words: Wording;
    };

/** Compares the ledger with the balance on the data service's dashboard. */
export function compareBalance(known: LedgerBalance, balance: number): BalanceComparison {
  const { credits, pendingCredits = 0, doubtfulCredits, bookedDoubts } = known;
  if (balance === credits) return { kind: 'equal' };
  const compared = (
    kind: 'open' | 'different',
    code: BalanceCode,
    openCredits: number,
  ): BalanceComparison => {
    const params = { ledgerCredits: credits, dashboardCredits: balance, openCredits };
    const { seen, advice } = BALANCE_TEXTS[code];
    const toDo = advice(params);
    return { kind, code, params, words: toDo === '' ? seen(params) : wording`${seen(params)} ${toDo}` };
  };
  if (doubtfulCredits > 0) return compared('open', 'in-doubt', doubtfulCredits);
  if (pendingCredits > 0) return compared('open', 'in-progress', pendingCredits);
  if (bookedDoubts && bookedDoubts.doubts.length > 0)
    return compared('different', 'unproved', bookedDoubts.credits);
  return compared('different', 'different', 0);
}

export function signedCredits(credits: number): string {
  return `${credits > 0 ? '+' : '-'}${counted(Math.abs(credits), 'credit')}`;
}
