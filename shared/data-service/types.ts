/** The vocabulary of the data service: pure, so that code without a network can speak it too. */
import type {
  CompanyProfileParameters,
  CompanySearchParameters,
  EmployeeSearchParameters,
  PeopleLookupParameters,
  PeopleSearchParameters,
  PersonProfileParameters,
  ReverseEmailParameters,
  ReversePhoneParameters,
} from './parameter-types.ts';
import type {
  CompanyInfo,
  CompanyProfileRecord,
  CompanySearchRecord,
  EmployeeRecord,
  Pagination,
  PersonRecord,
  Workspace,
} from './record-types.ts';

export type * from './parameter-types.ts';
export type * from './record-types.ts';

export const OPERATION_NAMES = [
  'checkKey',
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
  'lookUpPerson',
  'personProfile',
  'companyProfile',
  'reverseEmail',
  'reversePhone',
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];

export interface OperationParameters {
  readonly checkKey: Readonly<Record<string, never>>;
  readonly searchPeople: PeopleSearchParameters;
  readonly searchCompanies: CompanySearchParameters;
  readonly searchEmployees: EmployeeSearchParameters;
  readonly lookUpPerson: PeopleLookupParameters;
  readonly personProfile: PersonProfileParameters;
  readonly companyProfile: CompanyProfileParameters;
  readonly reverseEmail: ReverseEmailParameters;
  readonly reversePhone: ReversePhoneParameters;
}

/** What `data` of an answer is, by operation. */
export interface OperationData {
  readonly checkKey: Workspace;
  readonly searchPeople: readonly PersonRecord[];
  readonly searchCompanies: readonly CompanySearchRecord[];
  readonly searchEmployees: readonly EmployeeRecord[];
  readonly lookUpPerson: PersonRecord;
  readonly personProfile: PersonRecord;
  readonly companyProfile: CompanyProfileRecord;
  readonly reverseEmail: PersonRecord;
  readonly reversePhone: PersonRecord;
}

/** What the rate headers of an answer said; the same on errors. */
export interface RateReport {
  /** Requests allowed a minute. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window resets, on the server's clock. Epoch milliseconds. */
  readonly resetAtMs: number;
  /** The server's clock when it answered, if it said so. Epoch milliseconds, precise to a second. */
  readonly serverDateMs?: number;
  /** The reset was told as a distance, not as a time. */
  readonly isDelta?: true;
}

export interface Answer<Data = OperationData[OperationName]> {
  readonly data: Data;
  readonly statusCode: number;
  readonly message: string;
  /**
   * How many results were delivered, and so paid for: the items of a search, unreadable ones included; else 1.
   */
  readonly results: number;
  /** Employee search only. */
  readonly companyInfo?: CompanyInfo;
  /** Employee search only. */
  readonly pagination?: Pagination;
  /** Undefined when the headers were missing or unreadable. */
  readonly rate: RateReport | undefined;
  readonly requestId?: string;
  /**
   * Fields of this answer that had an unexpected type and were dropped, each once:
   * `organizations.founded_year`, `previous_companies[].duration_months`, `pagination.has_more`.
   */
  readonly drift: readonly string[];
}
