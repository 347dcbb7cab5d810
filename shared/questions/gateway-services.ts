import type { CreditLedger } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import type { Clock, Digest, Packing, ReferenceClock } from '#shared/kernel';
import type { RateLimiter } from '#shared/rate-limiter';
import type { Known, Owners, PlacedItems, Together, VersionedItems } from '#shared/store';
import type { VendorClient } from '#shared/vendor';
import type { Breakers } from './breakers.ts';
import type { Disclosures } from './people/disclosures.ts';
import type { SuppressionList } from './people/suppression-list.ts';
import type { Question } from './question.ts';
import type { BreakerState, QuestionItem, SideItem } from './schemas.ts';

/** What a purchase begins with. The work that marks the request decides on it again. */
export interface LookedAt {
  readonly stored: Known<QuestionItem> | undefined;
  readonly breakers: BreakerState;
}

export interface AskRequest {
  readonly question: Question;
  readonly purpose: Purpose;
  /** A person allowed this request to use the reserve for leads. Budgets still apply. */
  readonly overrulesReserve?: boolean | undefined;
  /** Key of the HubSpot record, if the request is for one. The ledger stores it with the charge. */
  readonly record?: string | undefined;
  /** Name of the policy rule that admits the record. The ledger stores it with the charge. */
  readonly rule?: string | undefined;
  /** The asker, as `readAsker` returns it. The ledger stores it with the charge. */
  readonly askedBy?: string | undefined;
  /**
   * The caller cannot use an answer after this time, epoch milliseconds. The gateway sends no request that could be
   * answered later.
   */
  readonly notAfterMs: number;
  /** Longest wait for a slot of the vendor's rate. Without it, `notAfterMs` is the only limit. */
  readonly slotPatienceMs?: number | undefined;
  /** What `look` has read just before. */
  readonly looked?: LookedAt | undefined;
  /** Ends the wait. It does not cancel a request that was sent. */
  readonly signal?: AbortSignal | undefined;
  /** Credits that may still be spent. If a question's worst case costs more, only a stored answer is returned. */
  readonly leftCredits?: number | undefined;
  /** Called right before the request is marked: whether it is still wanted. */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
  /**
   * Called when the request is marked, and again if another writer was first. It reaches only the store. Its writes
   * and the mark of the request are one transaction. So a crash hides no charge, and after a person stops the work, no
   * request is sent.
   */
  readonly join?: ((attempt: Commitment) => Promise<'joined' | NotJoined>) | undefined;
  /** Called with an answer while its charge is being stored. It may read what `booked` decides on, and writes nothing. */
  readonly answered?: ((record: Readonly<Record<string, unknown>>) => Promise<void>) | undefined;
  /**
   * Called with an answer that was charged or found missing. Its writes and the booking of the charge are one
   * transaction. It may be called again.
   */
  readonly booked?: ((answer: AskResult) => Promise<void>) | undefined;
}

/** No request is sent: it is not wanted any more, or the caller has lost its claim. */
export type NotJoined = 'unwanted' | 'claim-lost';

/** An attempt that may be charged. */
export interface Commitment {
  readonly questionKey: string;
  readonly reservationId: string;
  /** The worst-case cost of the attempt. */
  readonly credits: number;
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
  /** When the answer becomes stale, epoch milliseconds. */
  readonly expiresAtMs: number;
  /** Charge of this request; 0 if the answer was stored before. */
  readonly credits: number;
}

export type AskResult =
  | ({
      readonly kind: 'found';
      readonly record: Readonly<Record<string, unknown>>;
      /** The record was too large to store whole. A repeat finds only the first entries of its longest lists. */
      readonly isCut?: true | undefined;
    } & Answered)
  | ({ readonly kind: 'no-match' } & Answered)
  | {
      readonly kind: 'waiting';
      readonly reason: WaitReason;
      readonly untilMs: number;
      readonly detail: string;
      /** Figures and names behind `detail`, for scripts. */
      readonly params?: Readonly<Record<string, string | number>>;
      /** Set if the price is above the limit of the refusing budget. This wait then ends only with a larger budget. */
      readonly isAboveLimit?: true | undefined;
      /** Set if the limit is that of the person who asks. The budgets may pay for everybody else. */
      readonly isPersonsOwn?: true | undefined;
    }
  /** The charge of an attempt is unknown. The question is not sent again until the doubt is resolved. */
  | {
      readonly kind: 'doubt';
      readonly questionKey: string;
      readonly detail: string;
      /** Until then the answer may still come, epoch milliseconds. */
      readonly deadlineAtMs?: number;
    }
  /**
   * The question is about a forgotten person. It was not sent. Or it was sent with another identifier of the person,
   * and its answer was deleted. `credits` is the charge of this request.
   */
  | { readonly kind: 'forgotten'; readonly questionKey: string; readonly credits: number }
  /** The caller did not want it any more; no request was sent. */
  | { readonly kind: 'withdrawn' }
  /** No answer is stored, and the worst case is above the price limit. Nothing was charged. */
  | { readonly kind: 'too-dear'; readonly questionKey: string }
  /** The vendor refused the question itself; nothing was charged. */
  | { readonly kind: 'rejected'; readonly questionKey: string; readonly detail: string };

export interface GatewayPolicy {
  /** Timeout of one request. */
  readonly requestTimeoutMs: number;
  /** Assumed charge for "no match". */
  /** Absent: the vendor's price list counts. */
  readonly noMatchCost?: 'none' | 'base' | 'full' | undefined;
  readonly emptySearchCost: 'none' | 'base';
  /** Limit for the cost of probes while a breaker is open, credits an hour. */
  readonly testCreditsPerHour: number;
  /** How long an answer is reused. */
  readonly freshnessMs: Readonly<Record<'person' | 'company' | 'search', number>>;
  /** How long "no match" stays fresh after the first miss, the second, and so on. The last value repeats. */
  readonly noMatchRetryMs: readonly number[];
}

export interface GatewayServices {
  readonly items: PlacedItems<QuestionItem>;
  /** Writes of one work are one transaction. */
  readonly together: Together;
  /** The index from people to answers. In the table of questions. */
  readonly sideItems: VersionedItems<SideItem>;
  readonly owners: Owners;
  readonly suppressionList: SuppressionList;
  readonly disclosures: Disclosures;
  readonly ledger: CreditLedger;
  readonly rateLimiter: RateLimiter;
  readonly vendor: Pick<VendorClient, 'ask'>;
  readonly breakers: Breakers;
  readonly clock: Clock;
  /** If it is absent, this machine's clock is trusted. */
  readonly referenceClock?: ReferenceClock | undefined;
  readonly digest: Digest;
  /** Short and random; distinguishes attempts that start at the same moment. */
  readonly newNonce: () => string;
  readonly packing: Packing;
  readonly policy: GatewayPolicy;
}

export interface KeyedRequest extends AskRequest {
  readonly key: string;
}
