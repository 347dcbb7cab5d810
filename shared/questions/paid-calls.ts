import type { RateReport } from '#shared/rate-limiter';
import type { Question } from './question.ts';

/** The result of one paid request, classified by what it proves about the charge. */
export type CallResult =
  /** Charged as priced. */
  | {
      readonly kind: 'found';
      /** The record; for a search `{ data, companyInfo, pagination }`. */
      readonly record: Readonly<Record<string, unknown>>;
      /** Number of results, which are charged. */
      readonly results: number;
      /** The vendor's id of the request, if it gave one. */
      readonly requestId?: string | undefined;
      readonly report: RateReport | undefined;
    }
  /** Charged as the policy assumes for "no match". */
  | { readonly kind: 'no-match'; readonly report: RateReport | undefined }
  /** The vendor refused the request; not charged. */
  | {
      readonly kind: 'declined';
      readonly why: 'bad-request' | 'key-refused' | 'wrong-address' | 'out-of-credits' | 'rate-limited';
      readonly report: RateReport | undefined;
      /** Text of the vendor, or our error code. No personal data. */
      readonly reason: string;
      /** Only after a 429: the wait that the vendor requests. */
      readonly retryAfterMs?: number | undefined;
    }
  /** The client refused the question before it was sent. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The request was not sent, which is proved; not charged. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The charge is unknown. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The only access to operations that cost credits. Only the ask gateway uses it. */
export interface PaidCalls {
  /** Always resolves within `timeoutMs`. A failure is also a result. */
  call(question: Question, options: { readonly timeoutMs: number }): Promise<CallResult>;
}

/** The free key check. It counts against the vendor's rate like any other request. */
export interface KeyCheck {
  check(options: { readonly timeoutMs: number }): Promise<{
    readonly kind: 'accepted' | 'refused' | 'unknown';
    readonly report: RateReport | undefined;
    /** The answer was a 429. */
    readonly limited: boolean;
    readonly retryAfterMs?: number | undefined;
  }>;
}
