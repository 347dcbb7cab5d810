import { type PricedCall, priceOf, priceOfNoMatch, worstCase } from '#shared/data-service/pricing.ts';
import { assert, unreachable } from '#shared/kernel/errors.ts';
import { domainsOf, type Question, type QuestionOperation, type QuestionOption } from './question.ts';

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
      const { months } = parameters;
      const rounds = months && { organization_funding_date: { min: 0, max: Number(months) } };
      const params = { q_organization_domains: domainsOf(parameters), per_page: Number(given('page')) };
      return { operation: 'searchCompanies', params: { ...params, ...rounds } };
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

/** What an answer costs, credits. @param results how many were delivered; 1 but for searches. */
export function priceOfAnswer(question: Question, results: number): number {
  return priceOf({ ...callOf(question), results });
}

/** Credits that "no match" is assumed to cost. */
export function priceOfMiss(question: Question, cost: 'none' | 'base' | 'full'): number {
  return priceOfNoMatch({ ...callOf(question), cost });
}
