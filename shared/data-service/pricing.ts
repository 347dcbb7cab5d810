/** Computes the price of a call, in credits, from the table of operations. */
import { assert } from '#shared/kernel';
import {
  LARGEST_PAGE,
  OPERATIONS,
  type OperationName,
  type OperationParameters,
  type OperationRow,
} from './operations.ts';

export interface PricedCall<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly params: OperationParameters[Name];
}

/**
 * Computes the price of a received answer.
 * @param call.results `results` of the answer. Required for the three searches, ignored for other operations.
 */
export function priceOfCall<Name extends OperationName>(
  call: PricedCall<Name> & { readonly results?: number },
): number {
  const { page }: OperationRow = OPERATIONS[call.operation];
  if (page === undefined) return priceOfOne(call);
  const { results } = call;
  assert(
    results !== undefined && Number.isInteger(results) && results >= 0,
    'a search is priced by its results',
  );
  return priceOfOne(call) * results;
}

/** Computes the highest cost of a call; for a search, the cost of a full page. */
export function worstCase<Name extends OperationName>(call: PricedCall<Name>): number {
  const { page }: OperationRow = OPERATIONS[call.operation];
  if (page === undefined) return priceOfOne(call);
  const size = parameter(call, page.size) ?? page.defaultSize;
  const isPossible = typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= LARGEST_PAGE;
  // A size that the service would refuse counts as the largest page, so that a budget is never too small.
  return priceOfOne(call) * (isPossible ? size : LARGEST_PAGE);
}

/**
 * Computes the price of a 404. A 404 of a search counts as one result, because it has no list.
 * @param call.cost a setting, because the vendor does not publish whether "no match" costs credits
 */
export function priceOfNoMatch<Name extends OperationName>(
  call: PricedCall<Name> & { readonly cost: 'none' | 'base' | 'full' },
): number {
  if (call.cost === 'none') return 0;
  return call.cost === 'base' ? OPERATIONS[call.operation].base : priceOfOne(call);
}

export function isFree(operation: OperationName): boolean {
  return OPERATIONS[operation].base === 0;
}

function priceOfOne(call: PricedCall): number {
  const { base, options = {} }: OperationRow = OPERATIONS[call.operation];
  const included = Object.entries(options).filter(([option]) => parameter(call, option) === 'include');
  return included.reduce((sum, [, credits]) => sum + credits, base);
}

function parameter(call: PricedCall, name: string): unknown {
  return Object.entries(call.params).find(([key]) => key === name)?.[1];
}
