import type { LoggedRequest } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';

/** A paid request in the vendor's log. */
export interface Paid extends LoggedRequest {
  readonly operation: string;
  /** The request without purchased extras. A repeated question has an equal text. */
  readonly raw: string;
  readonly query: URLSearchParams;
  /** Extras that are bought with the record. */
  readonly extras: readonly string[];
  /** `unknown`: the sender cannot know the result. */
  readonly end: 'found' | 'no-match' | 'refused' | 'unknown';
}

/** The ledger's operation for each paid path of the vendor. */
const OPERATIONS: Readonly<Record<string, string>> = {
  '/api/v1/people/profile': 'personProfile',
  '/api/v1/people/lookup': 'lookUpPerson',
  '/api/v1/people/lookup/email': 'reverseEmail',
  '/api/v1/people/lookup/phone': 'reversePhone',
  '/api/v1/company/profile': 'companyProfile',
  '/api/v1/people/search': 'searchPeople',
  '/api/v1/company/search': 'searchCompanies',
  '/api/v1/company/employee-search': 'searchEmployees',
};

/** All requests except the free key checks. */
export function paidRequests(requests: readonly LoggedRequest[]): Paid[] {
  return requests.flatMap((request) => {
    const { pathname, searchParams: query } = new URL(request.path, 'https://vendor.example');
    const operation = OPERATIONS[pathname];
    if (operation === undefined) return [];
    const pairs = [...query].sort(([a], [b]) => (a < b ? -1 : 1));
    const isExtra = ([name]: [string, string]) => name.startsWith('include_');
    const about = new URLSearchParams(pairs.filter((pair) => !isExtra(pair)));
    const extras = pairs.filter((pair) => isExtra(pair) && pair[1] === 'include').map(([name]) => name);
    const raw = `${request.method} ${pathname}?${about.toString().toLowerCase()} ${request.body ?? ''}`;
    return [{ ...request, operation, raw, query, extras, end: endOf(request) }];
  });
}

/** After a damaged body, only a refusal is still known. */
function endOf({ status = 0, fault, answeredAtMs }: LoggedRequest): Paid['end'] {
  if (answeredAtMs === undefined || status >= 500) return 'unknown';
  if (status >= 400 && status !== 404) return 'refused';
  if (fault === 'malformed' || fault === 'status') return 'unknown';
  return status === 404 ? 'no-match' : 'found';
}
