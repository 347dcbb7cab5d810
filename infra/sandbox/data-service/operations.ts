import { findCompanies, findPeople, isEmpty, readEmployeeQuery, readSearch, type Search } from './filters.ts';
import {
  COMPANY_OPTION_CREDITS,
  companyProfileRecord,
  companySearchRecord,
  employeeRecord,
  isCompanyOption,
  NO_CONTACT,
  personRecord,
} from './records.ts';
import {
  badRequest,
  contactCredits,
  notFound,
  type Operation,
  type OperationInput,
  type OperationName,
  readContactOptions,
  readDomain,
  readEmail,
  readPageAddress,
  readPageSize,
  readPhone,
  readPosition,
  readSwitch,
  readText,
  type View,
} from './requests.ts';
import { isRecord } from './settings.ts';
import { fold } from './world/tables.ts';
import { type Company, currentStaff, jobAt, type Person, type World } from './world/world.ts';

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

const peopleSearch = searchOf({
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

const companySearch = searchOf({
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
      ? beginningAlike(view.world.companies, domains)
      : findCompanies(search, view);
  },
  record: companySearchRecord,
});

function beginningAlike(companies: readonly Company[], wanted: readonly unknown[]): readonly Company[] {
  const beginnings = wanted.map((domain) => String(domain).slice(0, 2));
  return companies.filter(({ domains }) => domains.some((domain) => beginnings.includes(domain.slice(0, 2))));
}

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

const DEFAULT_LIMIT = 10;

const companyEmployeeSearch: Operation = {
  name: 'company-employee-search',
  method: 'GET',
  path: '/api/v1/company/employee-search',
  successStatus: 200,
  read: ({ query }) => {
    const limit = readPageSize(query.get('limit') ?? undefined, DEFAULT_LIMIT);
    const missingText = 'Either company_domain or company_linkedin_url is required';
    const identity = readCompanyIdentity(query, ['company_domain', 'company_network_url'], missingText);
    const offset = readPosition(query.get('offset') ?? undefined, 'offset');
    const options = readContactOptions(query);
    const isWanted = readEmployeeQuery(query);
    return {
      price: { per: 'result', base: 1, full: 1 + contactCredits(options) },
      answer: (view) => {
        const company = findCompany(view.world, identity);
        const matching = staffOf(company, view).filter((person) => isWanted(person, view.nowMs));
        const found = matching.slice(offset, offset + limit);
        const total = matching.length;
        const body = {
          data: found.map((person) => employeeRecord(person, view.nowMs, options)),
          company_info: { name: company?.name, domain: company?.domains[0], total_employees_found: total },
          pagination: { total, limit, offset, has_more: offset + found.length < total },
        };
        return { resultCount: found.length, body };
      },
    };
  },
};

/** @throws ApiError 404 for an unknown company, and for a company without known people */
function staffOf(company: Company | undefined, view: View): Person[] {
  const staff = company === undefined ? [] : currentStaff(view.world, company, view.nowMs);
  if (staff.length === 0) throw notFound('Company not found or has insufficient employee data');
  return staff;
}

const peopleLookup: Operation = {
  name: 'people-lookup',
  method: 'GET',
  path: '/api/v1/people/lookup',
  successStatus: 200,
  read: ({ query }) => {
    const domainText = readText(query, 'company_domain');
    const firstName = readText(query, 'first_name');
    if (domainText === undefined || firstName === undefined) {
      throw badRequest('Missing required parameters: company_domain and first_name are required');
    }
    const wanted: Wanted = {
      domain: readCompanyDomain(domainText),
      firstName,
      lastName: readText(query, 'last_name'),
      title: readText(query, 'title'),
    };
    const options = readContactOptions(query);
    return {
      price: { per: 'request', base: 1, full: 1 + contactCredits(options) },
      answer: (view) => {
        const person = bestMatch(wanted, view);
        if (person === undefined) throw notFound('No profile found matching the provided criteria');
        return { resultCount: 1, body: { data: personRecord(person, view.nowMs, options) } };
      },
    };
  },
};

interface Wanted {
  readonly domain: string;
  readonly firstName: string;
  readonly lastName: string | undefined;
  readonly title: string | undefined;
}

/** Finds the person. Names must agree. Of several people, the one with the title, else the first. */
function bestMatch(wanted: Wanted, { world, nowMs }: View): Person | undefined {
  const company = findCompany(world, { domain: wanted.domain, slug: undefined });
  const [firstName, lastName] = [wanted.firstName, wanted.lastName ?? ''].map(fold);
  const namesakes = world.people.filter(
    (person) =>
      jobAt(person, nowMs).company === company &&
      fold(person.firstName) === firstName &&
      (lastName === '' || fold(person.lastName) === lastName),
  );
  const title = fold(wanted.title ?? '');
  return namesakes.find((person) => fold(jobAt(person, nowMs).title).includes(title)) ?? namesakes[0];
}

interface Identifier<Form> {
  readonly name: OperationName;
  readonly path: string;
  readonly parameter: string;
  /** @returns `undefined` if the text has another form. */
  readonly read: (text: string) => Form | undefined;
  readonly find: (form: Form, view: View) => Person | undefined;
  /** Error texts of the specification. */
  readonly wrongForm: string;
  readonly noMatch: string;
  readonly hasOptions?: boolean;
}

const peopleProfile = personBy({
  name: 'people-profile',
  path: '/api/v1/people/profile',
  parameter: 'network_url',
  read: readPersonSlug,
  find: (slug, { world }) => world.people.find(({ networkSlug }) => networkSlug === slug),
  wrongForm: 'Invalid profile URL format',
  noMatch: 'Profile not found for the provided profile URL',
  hasOptions: true,
});

const reverseEmailLookup = personBy({
  name: 'reverse-email-lookup',
  path: '/api/v1/people/lookup/email',
  parameter: 'email',
  read: readEmail,
  find: (email: string, { world, nowMs }: View): Person | undefined =>
    world.people.find(
      ({ job, nextJob }) => job.email === email || (nextJob?.email === email && nowMs >= nextJob.startMs),
    ),
  wrongForm: 'Invalid email address format',
  noMatch: 'No profile found for the provided email address',
});

const reversePhoneLookup = personBy({
  name: 'reverse-phone-lookup',
  path: '/api/v1/people/lookup/phone',
  parameter: 'phone',
  read: readPhone,
  find: findByPhone,
  wrongForm: 'Invalid phone number format',
  noMatch: 'No profile found for the provided phone number',
});

function personBy<Form>(by: Identifier<Form>): Operation {
  return {
    name: by.name,
    method: 'GET',
    path: by.path,
    successStatus: 200,
    read: ({ query }) => {
      const text = readText(query, by.parameter);
      if (text === undefined) throw badRequest(`Missing required parameter: ${by.parameter}`);
      const form = by.read(text);
      if (form === undefined) throw badRequest(by.wrongForm);
      const options = by.hasOptions ? readContactOptions(query) : NO_CONTACT;
      return {
        price: { per: 'request', base: 1, full: 1 + contactCredits(options) },
        answer: (view) => {
          const person = by.find(form, view);
          if (person === undefined) throw notFound(by.noMatch);
          return { resultCount: 1, body: { data: personRecord(person, view.nowMs, options) } };
        },
      };
    },
  };
}

function readPersonSlug(text: string): string | undefined {
  const address = readPageAddress(text);
  return address?.kind === 'person' ? address.slug : undefined;
}

/** Finds a person by phone, with or without the calling code. */
function findByPhone(digits: string, { world }: View): Person | undefined {
  return (
    world.people.find(({ mobile }) => mobile === `+${digits}`) ??
    world.people.find(({ mobile }) => digits.length >= SHORTEST_NATIONAL && mobile?.endsWith(digits))
  );
}

const SHORTEST_NATIONAL = 9;

const companyProfile: Operation = {
  name: 'company-profile',
  method: 'GET',
  path: '/api/v1/company/profile',
  successStatus: 200,
  read: ({ query }) => {
    const missingText = 'Either domain or linkedin_url parameter is required';
    const identity = readCompanyIdentity(query, ['domain', 'network_url'], missingText);
    const options = {
      funding: readSwitch(query.get('include_funding'), 'include_funding'),
      technology: readSwitch(query.get('include_technology'), 'include_technology'),
      contacts: readSwitch(query.get('include_contacts'), 'include_contacts'),
    };
    return {
      price: {
        per: 'request',
        base: 1,
        full: 1 + ((options.funding ? 2 : 0) + (options.technology ? 1 : 0) + (options.contacts ? 3 : 0)),
      },
      answer: ({ world, nowMs }) => {
        const company = findCompany(world, identity);
        if (company === undefined) throw notFound('No company found matching the provided criteria');
        const staff = currentStaff(world, company, nowMs);
        return {
          resultCount: 1,
          body: { data: companyProfileRecord(company, { staff, nowMs, options }) },
        };
      },
    };
  },
};

/** Identity of a company in a request. At least one of the two fields is set. */
interface CompanyIdentity {
  readonly domain: string | undefined;
  readonly slug: string | undefined;
}

/** Reads the domain, the address of the page, or both. @throws ApiError 400 */
function readCompanyIdentity(
  query: URLSearchParams,
  [domainName, urlName]: readonly [string, string],
  missingText: string,
): CompanyIdentity {
  const domainText = readText(query, domainName);
  const urlText = readText(query, urlName);
  if (domainText === undefined && urlText === undefined) throw badRequest(missingText);
  return {
    domain: domainText === undefined ? undefined : readCompanyDomain(domainText),
    slug: urlText === undefined ? undefined : readCompanySlug(urlText),
  };
}

/** @throws ApiError 400 */
function readCompanyDomain(text: string): string {
  const domain = readDomain(text);
  if (domain === undefined) throw badRequest('Invalid company domain format');
  return domain;
}

function readCompanySlug(text: string): string {
  const address = readPageAddress(text);
  if (address?.kind === 'company') return address.slug;
  throw badRequest('Invalid company page URL format; must be a company page URL');
}

/** Finds a company by any of its domains. If the domain is absent or unknown, finds it by page. */
function findCompany(world: World, { domain, slug }: CompanyIdentity): Company | undefined {
  const byDomain = world.companies.find(({ domains }) => domain !== undefined && domains.includes(domain));
  return byDomain ?? world.companies.find(({ networkSlug }) => networkSlug === slug);
}

const WORKSPACE = {
  name: 'Sandbox Workspace',
  id: '5b0ce5b0ce5b0ce5b0ce0001',
  user_id: '5b0ce5b0ce5b0ce5b0ce0002',
};

/** Spec: "Check API key". Free. */
const checkApiKey: Operation = {
  name: 'check-api-key',
  method: 'GET',
  path: '/api/v1/public/auth',
  successStatus: 200,
  read: () => ({
    price: { per: 'request', base: 0, full: 0 },
    answer: () => ({ resultCount: 1, body: { data: WORKSPACE } }),
  }),
};

export const operations: readonly Operation[] = [
  checkApiKey,
  peopleSearch,
  companySearch,
  companyEmployeeSearch,
  peopleLookup,
  peopleProfile,
  companyProfile,
  reverseEmailLookup,
  reversePhoneLookup,
];
