/** What a call costs, in credits. The only place where a price is written (specification: Limits, Credits). */
import { assert } from '#shared/kernel/errors.ts';
import type { OperationName, OperationParameters } from './types.ts';

/** What the vendor charges for "no match" is not published, so it is a setting of whoever keeps the books. */
export type NoMatchCost = 'none' | 'base' | 'full';

export interface PricedCall<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly params: OperationParameters[Name];
}

/**
 * The price of an answer that came.
 * @param call.results `results` of the answer; required for the three searches, ignored elsewhere.
 */
export function priceOf<Name extends OperationName>(
  call: PricedCall<Name> & { readonly results?: number },
): number {
  const price = priceOfOne(call);
  if (PRICES[call.operation].page === undefined) return price;
  const { results } = call;
  assert(
    results !== undefined && Number.isInteger(results) && results >= 0,
    'a search is priced by its results',
  );
  return price * results;
}

/** The most that a call can cost: for a search, a full page of results. */
export function worstCase<Name extends OperationName>(call: PricedCall<Name>): number {
  const { page } = PRICES[call.operation];
  return page === undefined ? priceOfOne(call) : priceOfOne(call) * pageSize(call, page);
}

/** What a 404 costs under a setting. Of a search it counts as one result, because no list was delivered. */
export function priceOfNoMatch<Name extends OperationName>(
  call: PricedCall<Name> & { readonly cost: NoMatchCost },
): number {
  if (call.cost === 'none') return 0;
  return call.cost === 'base' ? PRICES[call.operation].base : priceOfOne(call);
}

export function isFree(operation: OperationName): boolean {
  return PRICES[operation].base === 0;
}

interface Price {
  /** Per result where there are pages, per request elsewhere. */
  readonly base: number;
  readonly addOns: Readonly<Record<string, number>>;
  readonly page?: { readonly parameter: 'per_page' | 'limit'; readonly defaultSize: number };
}

/** Specification: Limits, Paging limits. */
const LARGEST_PAGE = 100;

const PERSON_ADD_ONS = { include_email: 2, include_phone: 3 };

const PRICES: { readonly [name in OperationName]: Price } = {
  checkKey: { base: 0, addOns: {} },
  searchPeople: { base: 1, addOns: PERSON_ADD_ONS, page: { parameter: 'per_page', defaultSize: 25 } },
  searchCompanies: {
    base: 1,
    addOns: { funding: 1, extra: 1, technology: 2, website_traffic: 1, headcount_growth: 1 },
    page: { parameter: 'per_page', defaultSize: 25 },
  },
  searchEmployees: { base: 1, addOns: PERSON_ADD_ONS, page: { parameter: 'limit', defaultSize: 10 } },
  lookUpPerson: { base: 1, addOns: PERSON_ADD_ONS },
  personProfile: { base: 1, addOns: PERSON_ADD_ONS },
  companyProfile: {
    base: 1,
    addOns: { include_funding: 2, include_technology: 1, include_contacts: 3 },
  },
  reverseEmail: { base: 1, addOns: {} },
  reversePhone: { base: 1, addOns: {} },
};

function priceOfOne(call: PricedCall): number {
  const { base, addOns } = PRICES[call.operation];
  const asked = Object.entries(addOns).filter(([option]) => parameter(call, option) === 'include');
  return base + asked.reduce((sum, [, credits]) => sum + credits, 0);
}

/** A size that the service would refuse counts as the largest page, so that a budget is never too small. */
function pageSize(call: PricedCall, page: NonNullable<Price['page']>): number {
  const size = parameter(call, page.parameter) ?? page.defaultSize;
  const isPossible = typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= LARGEST_PAGE;
  return isPossible ? size : LARGEST_PAGE;
}

function parameter(call: PricedCall, name: string): unknown {
  return Object.entries(call.params).find(([key]) => key === name)?.[1];
}
