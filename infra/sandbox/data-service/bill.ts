import type { OperationName } from './operation.ts';

/** Requests and charges since the last reset. */
export interface Bill {
  readonly creditsCharged: number;
  readonly creditBalance: number;
  /** All requests under the API's paths, including refused and unanswered ones. */
  readonly requests: number;
  /** Credits charged, by operation. */
  readonly byOperation: Readonly<Record<string, number>>;
  /** Requests by status. Unanswered requests are under `reset` and `hang`. */
  readonly byStatus: Readonly<Record<string, number>>;
}

/** The stand-in's account. It charges and counts in one step. */
export interface Books {
  bill(): Bill;
  balance(): number;
  setBalance(credits: number): void;
  /** @param credits never more than the balance. */
  charge(operation: OperationName, credits: number): void;
  count(result: number | 'reset' | 'hang'): void;
  reset(creditBalance: number): void;
}

export function emptyBill(creditBalance: number): Bill {
  return { creditsCharged: 0, creditBalance, requests: 0, byOperation: {}, byStatus: {} };
}

export function createBooks(start: Bill): Books {
  let bill = start;
  return {
    bill: () => bill,
    balance: () => bill.creditBalance,
    setBalance: (creditBalance) => {
      bill = { ...bill, creditBalance };
    },
    charge: (operation, credits) => {
      bill = {
        ...bill,
        creditsCharged: bill.creditsCharged + credits,
        creditBalance: bill.creditBalance - credits,
        byOperation: increased(bill.byOperation, operation, credits),
      };
    },
    count: (ending) => {
      bill = {
        ...bill,
        requests: bill.requests + 1,
        byStatus: increased(bill.byStatus, String(ending), 1),
      };
    },
    reset: (creditBalance) => {
      bill = emptyBill(creditBalance);
    },
  };
}

function increased(
  counts: Readonly<Record<string, number>>,
  key: string,
  by: number,
): Record<string, number> {
  return { ...counts, [key]: (counts[key] ?? 0) + by };
}
