import type { Purpose } from '#shared/crm';
import type { Question } from './question.ts';

export interface AskRequest {
  readonly question: Question;
  readonly purpose: Purpose;
  /** A person has admitted it in spite of the reserve for leads; a budget is never exceeded. */
  readonly overrulesReserve?: boolean | undefined;
  /** Key of the HubSpot record that it is asked for, where it is for one: stands in the ledger with the charge. */
  readonly record?: string | undefined;
  /** Name of the policy's rule that admits the record: stands in the ledger with the charge. */
  readonly rule?: string | undefined;
  /** Who or what asks, as `readAsker` takes it: stands in the ledger with the charge. */
  readonly askedBy?: string | undefined;
  /**
   * The latest moment at which an answer is still of use to the asker, epoch milliseconds. Nothing is sent that could
   * be answered later: the gateway knows how long a request takes.
   */
  readonly notAfterMs: number;
  /** How long to wait for a share of the vendor's rate at most; as long as `notAfterMs` allows without it. */
  readonly slotPatienceMs?: number | undefined;
  /** Ends waiting; a request that has left is not cancelled by it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once, after the credits are reserved and before the request is sent. If it returns false, nothing is sent and the
   * credits are given back. So a person who stops the work sees in the ledger every request that can still be charged.
   */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
  /** Absent without an agreed price: then only the budgets limit the spend. */
  readonly priceLimit?: PriceLimit | undefined;
}

/** The unspent part of an agreed price. */
export interface PriceLimit {
  /** A question whose worst case costs more is answered from the store, or not at all. */
  readonly leftCredits: number;
  /**
   * Stores the attempt's worst case right before it is sent, so that a crash cannot hide its charge.
   * @returns false where the asker has lost its claim: nothing is sent.
   */
  readonly commit?: ((attempt: Commitment) => Promise<boolean>) | undefined;
}

/** An attempt that may be charged. */
export interface Commitment {
  readonly questionKey: string;
  readonly reservationId: string;
  /** Its worst case; in a batch, that of one company. */
  readonly credits: number;
  /** In a batch: the key of the company's own question, which holds its share of the answer. */
  readonly companyKey?: string | undefined;
}

/** Why there is no answer yet; none of these is a failure. */
export type WaitReason =
  | 'rate-limit'
  | 'asked-by-another'
  | 'budget'
  | 'too-many-open'
  | 'too-many-doubts'
  | 'stopped-by-person'
  | 'key-refused'
  | 'wrong-address'
  | 'out-of-credits'
  | 'charges-above-list'
  | 'service-unreachable'
  | 'clock-wrong'
  | 'time-short';

interface Answered {
  readonly questionKey: string;
  /** When the data service gave the answer, epoch milliseconds. */
  readonly askedAtMs: number;
  /** When it counts as stale, epoch milliseconds. */
  readonly expiresAtMs: number;
  /** What this very request was charged: 0 where the answer was already there. */
  readonly credits: number;
}

export type AskResult =
  | ({ readonly kind: 'found'; readonly record: Readonly<Record<string, unknown>> } & Answered)
  | ({ readonly kind: 'no-match' } & Answered)
  | {
      readonly kind: 'waiting';
      readonly reason: WaitReason;
      readonly untilMs: number;
      readonly detail: string;
    }
  /** An earlier attempt's outcome cannot be known: not asked again until it is resolved. */
  | { readonly kind: 'doubt'; readonly questionKey: string; readonly detail: string }
  /**
   * It is about a forgotten person: not asked at all, or asked by an identifier that did not name the person,
   * and the answer thrown away. `credits` is what this very request was charged.
   */
  | { readonly kind: 'forgotten'; readonly questionKey: string; readonly credits: number }
  /** `isWanted` said no: nothing was sent. */
  | { readonly kind: 'withdrawn' }
  /** No answer is stored, and asking may cost more than the price limit; nothing was charged. */
  | { readonly kind: 'too-dear'; readonly questionKey: string }
  /** The vendor refused the question itself; nothing was charged. */
  | { readonly kind: 'rejected'; readonly questionKey: string; readonly detail: string };
