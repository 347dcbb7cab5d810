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

/** Adds up the bill to expect: what the ledger has, and each outcome that is not known or not proved. */
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
  return { fewestCredits, mostCredits, words: `${parts.join(' + ')} = expected bill ${bill}.` };
}

interface Compared {
  readonly ledgerCredits: number;
  readonly dashboardCredits: number;
  /** Credits of the requests with an unknown outcome, in progress, or booked as charged without a proof. */
  readonly openCredits: number;
}

const TWICE = 'An adjustment now could count them twice, so';

/** Results of a comparison with the dashboard, without the equal one: what differs, and what to do. */
export const BALANCE_TEXTS = {
  'in-doubt': ({ openCredits }: Compared) =>
    wording`${counted(openCredits, 'credit')} have an unknown outcome. ${TWICE} first decide each: ${command('doubts list')}`,
  'in-progress': ({ openCredits }: Compared) =>
    wording`Requests for ${counted(openCredits, 'credit')} are in progress. ${TWICE} compare again in a minute, or first run: ${command('spend stop')}`,
  unproved: ({ openCredits, ...compared }: Compared) =>
    wording`${counted(openCredits, 'credit')} were booked as charged without a proof. First settle them (${command('doubts list')}), then ${adjustment(compared)}`,
  different: (compared: Compared) => `To make them equal, ${adjustment(compared)}`,
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
export function compareBalance(
  { credits, pendingCredits = 0, doubtfulCredits, bookedDoubts }: LedgerBalance,
  balance: number,
): BalanceComparison {
  if (balance === credits) return { kind: 'equal' };
  const assumed = bookedDoubts?.credits ?? 0;
  const cases: [BalanceCode, number][] = [
    ['in-doubt', doubtfulCredits],
    ['in-progress', pendingCredits],
    ['unproved', assumed],
  ];
  const [code, openCredits] = cases.find(([, open]) => open > 0) ?? (['different', 0] as const);
  const params = { ledgerCredits: credits, dashboardCredits: balance, openCredits };
  const both = `The ledger has ${figure(credits)}, the dashboard ${figure(balance)}.`;
  const kind = code === 'in-doubt' || code === 'in-progress' ? 'open' : 'different';
  return { kind, code, params, words: wording`${both} ${BALANCE_TEXTS[code](params)}` };
}

function adjustment({ ledgerCredits, dashboardCredits }: Omit<Compared, 'openCredits'>): string {
  return `book an adjustment of ${signedCredits(dashboardCredits - ledgerCredits)}`;
}

export function signedCredits(credits: number): string {
  return `${credits > 0 ? '+' : '-'}${counted(Math.abs(credits), 'credit')}`;
}
