import { type PricedCall, priceOfCall, priceOfNoMatch, worstCase } from '#shared/data-service';
import { companyDomain, foldText, profileKey } from '#shared/identity';
import { assert, type Digest, unreachable } from '#shared/kernel';

/** The paid operations: five about one record, and three searches. */
export const QUESTION_OPERATIONS = [
  'personProfile',
  'reverseEmail',
  'lookUpPerson',
  'reversePhone',
  'companyProfile',
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
] as const;
export type QuestionOperation = (typeof QUESTION_OPERATIONS)[number];

const SEARCHES: ReadonlySet<QuestionOperation> = new Set([
  'searchPeople',
  'searchCompanies',
  'searchEmployees',
]);

/** Whether the answer is a list of records, so that it answers no question about one record. */
export function isSearch({ operation }: Pick<Question, 'operation'>): boolean {
  return SEARCHES.has(operation);
}

export const QUESTION_OPTIONS = ['email', 'phone', 'funding', 'technology', 'contacts'] as const;
export type QuestionOption = (typeof QUESTION_OPTIONS)[number];

/** A question to the data service in normal form. Equal questions have equal texts. */
export interface Question {
  readonly operation: QuestionOperation;
  /**
   * Parameters by the data service's names, without options. They are in normal form, except for the case and accents of
   * names. A search has one parameter, `request`: all its parameters as JSON, with options and page.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** Additional data in the answer; each option costs credits. */
  readonly options: readonly QuestionOption[];
}

/**
 * The key of a question's item. It does not depend on the options. It is an HMAC under the installation secret, so that
 * ledger and logs do not reveal a person.
 */
export function questionKey({ operation, parameters }: Question, digest: Digest): string {
  const keyParts = Object.entries(parameters)
    .map(([name, value]) => [name, name === 'request' ? value : foldText(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digest.keyed(JSON.stringify(['question', operation, keyParts]));
}

/** Whether an answer with the `answered` options also answers a question with the `wanted` options. */
export function covers(answered: readonly QuestionOption[], wanted: readonly QuestionOption[]): boolean {
  return wanted.every((option) => answered.includes(option));
}

/** Returns the keys of all questions that can look up a profile's company: by each domain, and by the page. */
export function companyKeys(record: Readonly<Record<string, unknown>>, digest: Digest): string[] {
  const { primary_domain: primary, domains, network_url: page } = record;
  const texts = [primary, ...(Array.isArray(domains) ? domains : [])].filter(
    (each) => typeof each === 'string',
  );
  const identifiers: Question['parameters'][] = texts
    .flatMap((text) => companyDomain(text) ?? [])
    .map((domain) => ({ domain }));
  if (typeof page === 'string' && page !== '')
    identifiers.push({ network_url: `https://${profileKey(page)}` });
  const keys = identifiers.map((parameters) =>
    questionKey({ operation: 'companyProfile', parameters, options: [] }, digest),
  );
  return [...new Set(keys)];
}

export type QuestionCall = {
  [name in QuestionOperation]: PricedCall<name>;
}[QuestionOperation];

/** Translates a question to the data service's call. */
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
    default:
      return unreachable(operation);
  }
}

/** Parses a search. Only checks that it is an object. The client checks the parameters before it sends. */
function searchOf(request: string): Readonly<Record<string, never>> {
  const params: unknown = JSON.parse(request);
  assert(params !== null && typeof params === 'object', 'the request of a search is an object');
  return { ...params };
}

/** Returns the highest cost of an attempt, credits. For a search, this is the cost of a full page. */
export function priceOfQuestion(question: Question): number {
  return worstCase(callOf(question));
}

/**
 * Keeps as many options of the question, in order, as the price covers.
 * @returns `undefined` if the question costs more than the price even without options.
 */
export function withinPrice(question: Question, maxCredits: number): Question | undefined {
  let affordable: Question = { ...question, options: [] };
  if (priceOfQuestion(affordable) > maxCredits) return undefined;
  for (const option of question.options) {
    const more = { ...affordable, options: [...affordable.options, option] };
    if (priceOfQuestion(more) <= maxCredits) affordable = more;
  }
  return affordable;
}

/** Cost of an answer, credits. @param results number of results; 1 except for searches. */
export function priceOfAnswer(question: Question, results: number): number {
  return priceOfCall({ ...callOf(question), results });
}

/** Assumed cost of "no match", credits. */
export function priceOfMiss(question: Question, cost: 'none' | 'base' | 'full'): number {
  return priceOfNoMatch({ ...callOf(question), cost });
}
