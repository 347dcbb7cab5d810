import { badRequest } from '../errors.ts';
import { findCompanies, findPeople, isEmpty, readSearch, type Search } from '../filters/search.ts';
import type { Operation, OperationInput, OperationName, View } from '../operation.ts';
import { contactCredits, readPageSize, readPosition, readSwitch } from '../parameters.ts';
import {
  COMPANY_OPTION_CREDITS,
  companySearchRecord,
  isCompanyOption,
} from '../records/company-search-record.ts';
import { personRecord } from '../records/person-record.ts';
import { fuzzyMatches } from '../search-variants.ts';
import { isRecord } from '../settings.ts';

const DEFAULT_PAGE_SIZE = 25;

type Body = Readonly<Record<string, unknown>>;

interface SearchPlan<Options, Item> {
  readonly name: OperationName;
  readonly path: string;
  readonly missingFilterText: string;
  readonly readOptions: (body: Body) => Options;
  /** Credits of the options, for each result. */
  readonly credits: (options: Options) => number;
  readonly find: (search: Search, view: View, body: Body) => readonly Item[];
  readonly record: (item: Item, options: Options, nowMs: number) => unknown;
}

/** Spec: "People search". */
export const peopleSearch = searchOf({
  name: 'people-search',
  path: '/api/v1/people/search',
  missingFilterText: 'At least one search criterion is required',
  readOptions: (body) => ({
    email: readSwitch(body['include_email'], 'include_email'),
    phone: readSwitch(body['include_phone'], 'include_phone'),
  }),
  credits: contactCredits,
  find: findPeople,
  record: (person, options, nowMs) => personRecord(person, nowMs, options),
});

/** Spec: "Company search". */
export const companySearch = searchOf({
  name: 'company-search',
  path: '/api/v1/company/search',
  missingFilterText: 'At least one search filter is required',
  readOptions: (body) =>
    new Set(
      Object.keys(COMPANY_OPTION_CREDITS)
        .filter(isCompanyOption)
        .filter((option) => readSwitch(body[option], option)),
    ),
  credits: (options) => [...options].reduce((sum, option) => sum + COMPANY_OPTION_CREDITS[option], 0),
  find: (search, view, body) => {
    const domains = body['q_organization_domains'];
    return view.settings.companyMatching === 'fuzzy' && Array.isArray(domains)
      ? fuzzyMatches(view.world.companies, domains)
      : findCompanies(search, view);
  },
  record: companySearchRecord,
});

function searchOf<Options, Item>(plan: SearchPlan<Options, Item>): Operation {
  return {
    name: plan.name,
    method: 'POST',
    path: plan.path,
    successStatus: 201,
    read: (input) => {
      const body = readBody(input);
      const size = readPageSize(body['per_page'], DEFAULT_PAGE_SIZE);
      const page = readPosition(body['page'], 'page');
      const search = readSearch(body);
      if (isEmpty(search)) throw badRequest(plan.missingFilterText);
      const options = plan.readOptions(body);
      return {
        price: { per: 'result', base: 1, full: 1 + plan.credits(options) },
        answer: (view) => {
          const end = page * size + view.settings.pageOverrun;
          const found = plan.find(search, view, body).slice((page - 1) * size, end);
          const data = found.map((item) => plan.record(item, options, view.nowMs));
          return { resultCount: data.length, body: { data } };
        },
      };
    },
  };
}

/** Reads the body. A missing body counts as empty. @throws ApiError 400 */
function readBody({ body }: OperationInput): Body {
  if (body === undefined) return {};
  if (!isRecord(body)) throw badRequest('Request body must be a JSON object');
  return body;
}
