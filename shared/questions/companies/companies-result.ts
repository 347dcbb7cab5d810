import { priceOfCall } from '#shared/data-service';
import type { AskRequest, AskResult, Commitment } from '../ask-result.ts';

export interface CompaniesRequest extends Omit<AskRequest, 'question' | 'record' | 'priceLimit'> {
  /** Registrable domains in normal form. */
  readonly domains: readonly string[];
  /** Returns stored answers only, and sends no request. */
  readonly knownOnly?: boolean | undefined;
  /**
   * Whether the caller can still pay for a search and then a profile of the company. If not, the company needs a lookup
   * of its profile. Called before each batch.
   */
  readonly isCovered?: ((domain: string) => Promise<boolean>) | undefined;
  /**
   * Stores that a company of a batch may be charged. Called before the batch is sent.
   * @returns false if the caller has lost its claim. Then the company is left out.
   */
  readonly commit?: ((domain: string, attempt: Commitment) => Promise<boolean>) | undefined;
}

export type CompanyResult = Extract<AskResult, { kind: 'found' | 'no-match' | 'waiting' | 'withdrawn' }>;
/** Results by domain. A company without a result needs a lookup of its profile. */
export type CompaniesResult = ReadonlyMap<string, CompanyResult>;

/** Price of one company in the result of a search, credits. */
export const RESULT_CREDITS = priceOfCall({ operation: 'searchCompanies', params: {}, results: 1 });
