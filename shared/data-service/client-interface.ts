import type {
  Answer,
  CompanyProfileParameters,
  CompanyProfileRecord,
  CompanySearchParameters,
  CompanySearchRecord,
  EmployeeRecord,
  EmployeeSearchParameters,
  OperationData,
  OperationName,
  OperationParameters,
  PeopleLookupParameters,
  PeopleSearchParameters,
  PersonProfileParameters,
  PersonRecord,
  ReverseEmailParameters,
  ReversePhoneParameters,
  Workspace,
} from './types.ts';

export interface CallOptions {
  /** Gives the call up. If it had been sent by then, it may be charged: `DATA_SERVICE_ABORTED`. */
  readonly signal?: AbortSignal;
  /** Instead of the client's own. */
  readonly timeoutMs?: number;
}

export interface PagingOptions extends CallOptions {
  /** How many results may be paid for in all pages together. A whole number, at least 1. */
  readonly maxResults: number;
}

type Pages<Item> = AsyncIterable<Answer<readonly Item[]>>;

/** A search's parameters when the client turns the pages. */
type Unpaged<Parameters> = Omit<Parameters, 'page' | 'per_page' | 'limit' | 'offset'>;

/** Every method throws nothing but {@link DataServiceError}; every paid call is sent once at most. */
export interface DataServiceClient {
  /** The one request path; the nine methods under it are shorthands. */
  call<Name extends OperationName>(
    operation: Name,
    params: OperationParameters[Name],
    options?: CallOptions,
  ): Promise<Answer<OperationData[Name]>>;

  checkKey(options?: CallOptions): Promise<Answer<Workspace>>;
  searchPeople(
    params: PeopleSearchParameters,
    options?: CallOptions,
  ): Promise<Answer<readonly PersonRecord[]>>;
  searchCompanies(
    params: CompanySearchParameters,
    options?: CallOptions,
  ): Promise<Answer<readonly CompanySearchRecord[]>>;
  searchEmployees(
    params: EmployeeSearchParameters,
    options?: CallOptions,
  ): Promise<Answer<readonly EmployeeRecord[]>>;
  lookUpPerson(params: PeopleLookupParameters, options?: CallOptions): Promise<Answer<PersonRecord>>;
  personProfile(params: PersonProfileParameters, options?: CallOptions): Promise<Answer<PersonRecord>>;
  companyProfile(
    params: CompanyProfileParameters,
    options?: CallOptions,
  ): Promise<Answer<CompanyProfileRecord>>;
  reverseEmail(params: ReverseEmailParameters, options?: CallOptions): Promise<Answer<PersonRecord>>;
  reversePhone(params: ReversePhoneParameters, options?: CallOptions): Promise<Answer<PersonRecord>>;

  peoplePages(params: Unpaged<PeopleSearchParameters>, paging: PagingOptions): Pages<PersonRecord>;
  companyPages(params: Unpaged<CompanySearchParameters>, paging: PagingOptions): Pages<CompanySearchRecord>;
  employeePages(params: Unpaged<EmployeeSearchParameters>, paging: PagingOptions): Pages<EmployeeRecord>;

  people(params: Unpaged<PeopleSearchParameters>, paging: PagingOptions): AsyncIterable<PersonRecord>;
  companies(
    params: Unpaged<CompanySearchParameters>,
    paging: PagingOptions,
  ): AsyncIterable<CompanySearchRecord>;
  employees(params: Unpaged<EmployeeSearchParameters>, paging: PagingOptions): AsyncIterable<EmployeeRecord>;

  /** How often each field came with an unexpected type so far, by `operation field`. */
  driftCounts(): ReadonlyMap<string, number>;
}
