import { type PricedCall, priceOfCall, priceOfNoMatch, worstCase } from '#shared/data-service';
import { foldText } from '#shared/identity';
import { assert, type Digest, unreachable } from '#shared/kernel';

/** The paid operations: five about one record, three that list, and one that asks about many companies at once. */
export const QUESTION_OPERATIONS = [
  'personProfile',
  'reverseEmail',
  'lookUpPerson',
  'reversePhone',
  'companyProfile',
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
  'companiesByDomain',
] as const;
export type QuestionOperation = (typeof QUESTION_OPERATIONS)[number];

const SEARCHES: ReadonlySet<QuestionOperation> = new Set([
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
]);

/** Whether its answer is a list of many, which is not the answer of any of them. */
export function isSearch({ operation }: Pick<Question, 'operation'>): boolean {
  return SEARCHES.has(operation);
}

export const QUESTION_OPTIONS = ['email', 'phone', 'funding', 'technology', 'contacts'] as const;
export type QuestionOption = (typeof QUESTION_OPTIONS)[number];

/** What is asked of the data service, in normal form: equal questions have equal texts. */
export interface Question {
  readonly operation: QuestionOperation;
  /**
   * Parameters by the data service's names, in normal form but for the case and accents of names; no options.
   * A search has one, `request`: the whole of its parameters as JSON, options and page included. A batch has `batch`,
   * its id, `domains`, joined by commas, and `page`, how many results it takes at most.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the answer is to include beyond the base record; each costs. */
  readonly options: readonly QuestionOption[];
}

/**
 * The key of the one item that a question has, whatever options are asked for: an HMAC under the installation
 * secret, so that neither ledger nor logs can be read back to a person.
 */
export function questionKey({ operation, parameters }: Question, digest: Digest): string {
  // The list of a batch is fixed only as it is sent: its id alone tells it from others.
  const isNaming = (name: string) => operation !== 'companiesByDomain' || name === 'batch';
  const named = Object.entries(parameters)
    .filter(([name]) => isNaming(name))
    .map(([name, value]) => [name, name === 'request' ? value : foldText(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digest.keyed(JSON.stringify(['question', operation, named]));
}

/** Whether an answer to `answered` options also answers a question with `wanted` ones. */
export function covers(answered: readonly QuestionOption[], wanted: readonly QuestionOption[]): boolean {
  return wanted.every((option) => answered.includes(option));
}

/** The key of the stored data about the company of a domain, whatever the way it was looked up. */
export function companyKey(domain: string, digest: Digest): string {
  return questionKey({ operation: 'companyProfile', parameters: { domain }, options: [] }, digest);
}

/** Whom a batch asks about. */
export function domainsOf({ domains = '' }: Question['parameters']): string[] {
  return domains === '' ? [] : domains.split(',');
}

export type QuestionCall = {
  [name in AskedOperation]: PricedCall<name>;
}[AskedOperation];

/** A batch is asked by a search. */
type AskedOperation = Exclude<QuestionOperation, 'companiesByDomain'>;

/** The data service's call that a question is asked with: its operation, parameters and options. */
export function callOf({ operation, parameters, options }: Question): QuestionCall {
  const asked = (option: QuestionOption) => (options.includes(option) ? 'include' : 'exclude');
  const person = { include_email: asked('email'), include_phone: asked('phone') } as const;
  const given = (name: string) => parameters[name] ?? '';
  const optional = (name: string) => (parameters[name] === undefined ? {} : { [name]: parameters[name] });
  switch (operation) {
    case 'personProfile':
      return { operation, params: { network_url: given('network_url'), ...person } };
    case 'lookUpPerson': {
      const names = { company_domain: given('company_domain'), first_name: given('first_name') };
      const more = { ...optional('last_name'), ...optional('title'), ...optional('location') };
      return { operation, params: { ...names, ...more, ...person } };
    }
    case 'reverseEmail':
      return { operation, params: { email: given('email') } };
    case 'reversePhone':
      return { operation, params: { phone: given('phone') } };
    case 'companyProfile': {
      const included = {
        include_funding: asked('funding'),
        include_technology: asked('technology'),
        include_contacts: asked('contacts'),
      } as const;
      return { operation, params: { ...optional('domain'), ...optional('network_url'), ...included } };
    }
    case 'searchPeople':
    case 'searchCompanies':
    case 'searchEmployees':
      return { operation, params: searchOf(given('request')) };
    case 'companiesByDomain': {
      const params = { q_organization_domains: domainsOf(parameters), per_page: Number(given('page')) };
      return { operation: 'searchCompanies', params };
    }
    default:
      return unreachable(operation);
  }
}

/** What the client checks before it sends: here it only has to be an object. */
function searchOf(request: string): Readonly<Record<string, never>> {
  const params: unknown = JSON.parse(request);
  assert(params !== null && typeof params === 'object', 'a search is asked with an object of parameters');
  return { ...params };
}

/** The most that an attempt costs, credits: of a search, a full page. */
export function priceOfQuestion(question: Question): number {
  return worstCase(callOf(question));
}

/**
 * The question with each option, in order, that the price still covers.
 * @returns nothing where it is too dear without options.
 */
export function withinPrice(question: Question, maxCredits: number): Question | undefined {
  let within: Question = { ...question, options: [] };
  if (priceOfQuestion(within) > maxCredits) return undefined;
  for (const option of question.options) {
    const more = { ...within, options: [...within.options, option] };
    if (priceOfQuestion(more) <= maxCredits) within = more;
  }
  return within;
}

/** What an answer costs, credits. @param results how many were delivered; 1 but for searches. */
export function priceOfAnswer(question: Question, results: number): number {
  return priceOfCall({ ...callOf(question), results });
}

/** Credits that "no match" is assumed to cost. */
export function priceOfMiss(question: Question, cost: 'none' | 'base' | 'full'): number {
  return priceOfNoMatch({ ...callOf(question), cost });
}
