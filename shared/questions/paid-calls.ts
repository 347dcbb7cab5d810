import type { RateReport } from '#shared/rate-limiter';
import type { Question } from './question.ts';

/** What came of one paid request, told apart by what it proves about the charge. */
export type CallResult =
  /** Charged as priced. */
  | {
      readonly kind: 'found';
      /** The record; of a search `{ data, companyInfo, pagination }`. */
      readonly record: Readonly<Record<string, unknown>>;
      /** How many results were delivered and so charged. */
      readonly results: number;
      /** The vendor's own id of the request, where it gave one. */
      readonly requestId?: string | undefined;
      readonly report: RateReport | undefined;
    }
  /** Charged as the policy assumes for "no match". */
  | { readonly kind: 'no-match'; readonly report: RateReport | undefined }
  /** Answered without doing the work: not charged. */
  | {
      readonly kind: 'declined';
      readonly why: 'bad-request' | 'key-refused' | 'wrong-address' | 'out-of-credits' | 'rate-limited';
      readonly report: RateReport | undefined;
      /** The vendor's own words, or ours; no personal data. */
      readonly reason: string;
      /** Only after a 429: how long the vendor asked us to wait. */
      readonly retryAfterMs?: number | undefined;
    }
  /** The question cannot be asked at all: refused before sending. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** It is proved that the request never left: not charged. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** It is unknown whether it was charged. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The only door to the operations that cost credits; the ask gateway alone goes through it. */
export interface PaidCalls {
  /** Resolves within `timeoutMs`, always: a failure is a result too. */
  call(question: Question, options: { readonly timeoutMs: number }): Promise<CallResult>;
}

/** What the free key check says; it counts against the rate like any other request. */
export interface KeyCheck {
  check(options: { readonly timeoutMs: number }): Promise<{
    readonly kind: 'accepted' | 'refused' | 'unknown';
    readonly report: RateReport | undefined;
    /** The answer was a 429. */
    readonly limited: boolean;
    readonly retryAfterMs?: number | undefined;
  }>;
}
