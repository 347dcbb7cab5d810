import type { AskRequest, AskResult } from '../ask-result.ts';

export interface CompaniesRequest extends Omit<AskRequest, 'question' | 'record'> {
  /** Registrable domains in normal form. */
  readonly domains: readonly string[];
  /** Only what is known already is told: nothing is asked. */
  readonly knownOnly?: boolean | undefined;
}

export type CompanyResult = Extract<AskResult, { kind: 'found' | 'no-match' | 'waiting' | 'withdrawn' }>;
/** By domain. Who is not in it is to be asked about by its profile. */
export type CompaniesResult = ReadonlyMap<string, CompanyResult>;
