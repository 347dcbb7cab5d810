import type { Spender } from './budgets.ts';
import type { LedgerEntry, OpenReservation } from './schemas.ts';
import type { AskedFor } from './totals.ts';

/** Commands that change the ledger. */
export type LedgerCommand =
  | ({ readonly kind: 'reserve' } & NewReservation & Pick<Spender, 'overrulesReserve'>)
  | ({ readonly kind: 'post'; readonly amountCredits: number } & Settling)
  | ({ readonly kind: 'void' | 'doubt' } & Settling)
  | ({ readonly kind: 'late'; readonly reason: string } & NewReservation)
  | {
      readonly kind: 'grant' | 'adjust';
      readonly id: string;
      readonly amountCredits: number;
      readonly reason: string;
      /** In a grant: the last day on which its credits can be spent, `2026-11-21`. */
      readonly expiresOn?: string | undefined;
    };

interface Settling {
  readonly reservationId: string;
  readonly reason: string;
}

export interface NewReservation extends AskedFor {
  readonly reservationId: string;
  readonly questionKey: string;
  readonly operation: string;
  readonly purpose: OpenReservation['purpose'];
  readonly amountCredits: number;
}

/** An entry without the fields that chain it to the previous entry. */
export type EntryDraft = Omit<LedgerEntry, 'hash' | 'previousHash' | 'seq' | 'account'>;
