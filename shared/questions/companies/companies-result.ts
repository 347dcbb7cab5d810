import { priceOfCall } from '#shared/data-service';
import type { AskRequest, AskResult, Commitment } from '../ask-result.ts';

export interface CompaniesRequest extends Omit<AskRequest, 'question' | 'record' | 'priceLimit'> {
  /** Registrable domains in normal form. */
  readonly domains: readonly string[];
  /** Returns stored answers only, and sends no request. */
  readonly knownOnly?: boolean | undefined;
  /**
   * Whether the caller can still pay for a search and a profile after it. A company that is not covered needs a lookup of
   * its profile. Called before each batch.
   */
  readonly isCovered?: ((domain: string) => Promise<boolean>) | undefined;
  /**
   * Stores, before a batch is sent, that one of its companies may be charged.
   * @returns false if the caller has lost its claim; then the company is left out.
   */
  readonly commit?: ((domain: string, attempt: Commitment) => Promise<boolean>) | undefined;
}

export type CompanyResult = Extract<AskResult, { kind: 'found' | 'no-match' | 'waiting' | 'withdrawn' }>;
/** By domain. Companies that are not in it need a lookup of their profile. */
export type CompaniesResult = ReadonlyMap<string, CompanyResult>;

/** One company in the result of a search, credits. */
export const RESULT_CREDITS = priceOfCall({ operation: 'searchCompanies', params: {}, results: 1 });
