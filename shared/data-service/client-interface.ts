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

export interface DriftNotice {
  readonly operation: OperationName;
  /** As in `Answer.drift`. */
  readonly field: string;
}

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
}
