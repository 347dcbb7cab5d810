import type { AskRequest, AskResult, Commitment } from '../ask-result.ts';

export interface CompaniesRequest extends Omit<AskRequest, 'question' | 'record' | 'priceLimit'> {
  /** Registrable domains in normal form. */
  readonly domains: readonly string[];
  /** Only what is known already is told: nothing is asked. */
  readonly knownOnly?: boolean | undefined;
  /**
   * Stores, before a batch is sent, that one of its companies may be charged.
   * @returns false where the asker has lost its claim: the company is left out.
   */
  readonly commit?: ((domain: string, attempt: Commitment) => Promise<boolean>) | undefined;
}

export type CompanyResult = Extract<AskResult, { kind: 'found' | 'no-match' | 'waiting' }>;
/** By domain. Who is not in it is to be asked about by its profile. */
export type CompaniesResult = ReadonlyMap<string, CompanyResult>;

export interface RoundsRequest extends Omit<CompaniesRequest, 'knownOnly' | 'commit'> {
  /** When the funding of the longest unseen of them was known, epoch milliseconds. */
  readonly sinceMs: number;
}

/** What a search said of a company's funding rounds. */
export type RoundSeen =
  /** `credits`: what it cost to hear so of the company. */
  | {
      readonly kind: 'had-round' | 'had-none' | 'unproved';
      readonly credits: number;
      /** How far back it looked, and when. */
      readonly sinceMs: number;
      readonly askedAtMs: number;
    }
  | Extract<AskResult, { kind: 'waiting' }>;
/** By domain. Who is not in it was not looked at. */
export type RoundsResult = ReadonlyMap<string, RoundSeen>;
