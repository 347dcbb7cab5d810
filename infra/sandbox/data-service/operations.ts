import { findCompanies, findPeople, isEmpty, readEmployeeQuery, readSearch, type Search } from './filters.ts';
import { companyProfileRecord, companySearchRecord, employeeRecord, personRecord } from './records.ts';
import {
  badRequest,
  type ContactOptions,
  notFound,
  type Operation,
  type OperationInput,
  type OperationName,
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
import { fold } from './world/tables.ts';
import { type Company, currentStaff, jobAt, type Person, type World } from './world/world.ts';

const DEFAULT_PAGE_SIZE = 25;

/** Credits of the paid options, for each result (specification, "Credits"). */
const CONTACT = { include_email: 2, include_phone: 3 } as const;
const PROFILE = { include_funding: 2, include_technology: 1, include_contacts: 3 } as const;
const COMPANY = { funding: 1, extra: 1, technology: 2, website_traffic: 1, headcount_growth: 1 } as const;

/** The options that a request includes, with the price of one result. @throws ApiError 400 */
function optionsIn<Name extends string>(given: OperationInput, credits: Readonly<Record<Name, number>>) {
  const names = (Object.keys(credits) as Name[]).filter((name) => readSwitch(given[name], name));
  const full = names.reduce((sum, name) => sum + credits[name], 1);
  return { chosen: new Set<string>(names), full };
}

function contactOptions(chosen: ReadonlySet<string>): ContactOptions {
  return { email: chosen.has('include_email'), phone: chosen.has('include_phone') };
}

interface SearchPlan<Item> {
  readonly name: OperationName;
  readonly path: string;
  readonly missingFilterText: string;
  readonly options: Readonly<Record<string, number>>;
  readonly find: (search: Search, view: View, given: OperationInput) => readonly Item[];
  readonly record: (item: Item, chosen: ReadonlySet<string>, nowMs: number) => unknown;
}

const peopleSearch = searchOf({
  name: 'people-search',
  path: '/api/v1/people/search',
  missingFilterText: 'At least one search criterion is required',
  options: CONTACT,
  find: findPeople,
  record: (person, chosen, nowMs) => personRecord(person, nowMs, contactOptions(chosen)),
});

const companySearch = searchOf({
  name: 'company-search',
  path: '/api/v1/company/search',
  missingFilterText: 'At least one search filter is required',
  options: COMPANY,
  find: (search, view, given) => {
    const domains = given['q_organization_domains'];
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

function searchOf<Item>(plan: SearchPlan<Item>): Operation {
  return {
    name: plan.name,
    method: 'POST',
    path: plan.path,
    successStatus: 201,
    read: (given) => {
      const size = readPageSize(given['per_page'], DEFAULT_PAGE_SIZE);
      const page = readPosition(given['page'], 'page');
      const search = readSearch(given);
      if (isEmpty(search)) throw badRequest(plan.missingFilterText);
      const { chosen, full } = optionsIn(given, plan.options);
      return {
        price: { per: 'result', base: 1, full },
        answer: (view) => {
          const end = page * size + view.settings.pageOverrun;
          const found = plan.find(search, view, given).slice((page - 1) * size, end);
          const data = found.map((item) => plan.record(item, chosen, view.nowMs));
          return { resultCount: data.length, body: { data } };
        },
      };
    },
  };
}

const DEFAULT_LIMIT = 10;

const companyEmployeeSearch: Operation = {
  name: 'company-employee-search',
  method: 'GET',
  path: '/api/v1/company/employee-search',
  successStatus: 200,
  read: (given) => {
    const limit = readPageSize(given['limit'], DEFAULT_LIMIT);
    const missingText = 'Either company_domain or company_linkedin_url is required';
    const identity = readCompanyIdentity(given, ['company_domain', 'company_network_url'], missingText);
    const offset = readPosition(given['offset'], 'offset');
    const { chosen, full } = optionsIn(given, CONTACT);
    const options = contactOptions(chosen);
    const isWanted = readEmployeeQuery(given);
    return {
      price: { per: 'result', base: 1, full },
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

/** A lookup of one record. */
interface LookupPlan<Wish, Item> {
  readonly name: OperationName;
  readonly path: string;
  readonly options?: Readonly<Record<string, number>>;
  /** @throws ApiError 400 */
  readonly read: (given: OperationInput) => Wish;
  readonly find: (wish: Wish, view: View) => Item | undefined;
  readonly noMatch: string;
  readonly record: (item: Item, chosen: ReadonlySet<string>, view: View) => unknown;
}

function lookupOf<Wish, Item>(plan: LookupPlan<Wish, Item>): Operation {
  return {
    name: plan.name,
    method: 'GET',
    path: plan.path,
    successStatus: 200,
    read: (given) => {
      const wish = plan.read(given);
      const { chosen, full } = optionsIn(given, plan.options ?? {});
      return {
        price: { per: 'request', base: 1, full },
        answer: (view) => {
          const item = plan.find(wish, view);
          if (item === undefined) throw notFound(plan.noMatch);
          return { resultCount: 1, body: { data: plan.record(item, chosen, view) } };
        },
      };
    },
  };
}

const recordOfPerson = (person: Person, chosen: ReadonlySet<string>, { nowMs }: View) =>
  personRecord(person, nowMs, contactOptions(chosen));

const peopleLookup = lookupOf({
  name: 'people-lookup',
  path: '/api/v1/people/lookup',
  options: CONTACT,
  read: (given): Wanted => {
    const domain = readText(given, 'company_domain');
    const firstName = readText(given, 'first_name');
    if (domain === undefined || firstName === undefined) {
      throw badRequest('Missing required parameters: company_domain and first_name are required');
    }
    const [lastName, title] = [readText(given, 'last_name'), readText(given, 'title')];
    return { domain: readCompanyDomain(domain), firstName, lastName, title };
  },
  find: bestMatch,
  noMatch: 'No profile found matching the provided criteria',
  record: recordOfPerson,
});

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

/**
 * Reads a required parameter.
 * @param read returns `undefined` if the text has another form
 */
function required<Form>(parameter: string, read: (text: string) => Form | undefined, wrongForm: string) {
  return (given: OperationInput): Form => {
    const text = readText(given, parameter);
    if (text === undefined) throw badRequest(`Missing required parameter: ${parameter}`);
    const form = read(text);
    if (form === undefined) throw badRequest(wrongForm);
    return form;
  };
}

const personSlug = (text: string) => {
  const address = readPageAddress(text);
  return address?.kind === 'person' ? address.slug : undefined;
};

const peopleProfile = lookupOf({
  name: 'people-profile',
  path: '/api/v1/people/profile',
  options: CONTACT,
  read: required('network_url', personSlug, 'Invalid profile URL format'),
  find: (slug, { world }) => world.people.find(({ networkSlug }) => networkSlug === slug),
  noMatch: 'Profile not found for the provided profile URL',
  record: recordOfPerson,
});

const reverseEmailLookup = lookupOf({
  name: 'reverse-email-lookup',
  path: '/api/v1/people/lookup/email',
  read: required('email', readEmail, 'Invalid email address format'),
  find: (email: string, { world, nowMs }: View) =>
    world.people.find(
      ({ job, nextJob }) => job.email === email || (nextJob?.email === email && nowMs >= nextJob.startMs),
    ),
  noMatch: 'No profile found for the provided email address',
  record: recordOfPerson,
});

const reversePhoneLookup = lookupOf({
  name: 'reverse-phone-lookup',
  path: '/api/v1/people/lookup/phone',
  read: required('phone', readPhone, 'Invalid phone number format'),
  find: findByPhone,
  noMatch: 'No profile found for the provided phone number',
  record: recordOfPerson,
});

/** Finds a person by phone, with or without the calling code. */
function findByPhone(digits: string, { world }: View): Person | undefined {
  return (
    world.people.find(({ mobile }) => mobile === `+${digits}`) ??
    world.people.find(({ mobile }) => digits.length >= SHORTEST_NATIONAL && mobile?.endsWith(digits))
  );
}

const SHORTEST_NATIONAL = 9;

const companyProfile = lookupOf({
  name: 'company-profile',
  path: '/api/v1/company/profile',
  options: PROFILE,
  read: (given) =>
    readCompanyIdentity(
      given,
      ['domain', 'network_url'],
      'Either domain or linkedin_url parameter is required',
    ),
  find: (identity, { world }) => findCompany(world, identity),
  noMatch: 'No company found matching the provided criteria',
  record: (company, chosen, { world, nowMs }) =>
    companyProfileRecord(company, {
      staff: currentStaff(world, company, nowMs),
      nowMs,
      options: {
        funding: chosen.has('include_funding'),
        technology: chosen.has('include_technology'),
        contacts: chosen.has('include_contacts'),
      },
    }),
});

/** Identity of a company in a request. At least one of the two fields is set. */
interface CompanyIdentity {
  readonly domain: string | undefined;
  readonly slug: string | undefined;
}

/** Reads the domain, the address of the page, or both. @throws ApiError 400 */
function readCompanyIdentity(
  given: OperationInput,
  [domainName, urlName]: readonly [string, string],
  missingText: string,
): CompanyIdentity {
  const domainText = readText(given, domainName);
  const urlText = readText(given, urlName);
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
