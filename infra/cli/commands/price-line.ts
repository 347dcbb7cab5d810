import type { Purpose } from '#shared/crm';
import { counted, figure } from '#shared/kernel';
import { priceOfQuestion, type Question } from '#shared/questions';
import { label } from '#shared/spend';
import { OPERATIONS, type OperationName } from '#shared/vendor';
import type { Connection } from '../connection/connection.ts';
import { pageQuestion, type Search } from './search-question.ts';

/** Cost of a lookup, in one line without a full stop. */
export async function lookupPriceLine(connection: Connection, question: Question): Promise<string> {
  const price = counted(priceOfQuestion(question), 'credit');
  return `${label(question.operation)}${withOptions(question.options)}: ${price}, ${await budgetLeft(connection, 'manual')}`;
}

/** Highest cost of a search. @param quote.credits price of all pages without a stored answer */
export async function searchPriceLine(
  connection: Connection,
  search: Search,
  quote: { credits: number; maxResults: number },
): Promise<string> {
  const results = counted(quote.maxResults, 'result');
  const most = `at most ${counted(quote.credits, 'credit')} for up to ${results} at ${pricePerResult(search)} each`;
  return `${label(search.operation)}${withOptions(includedIn(search))}: ${most}, ${await budgetLeft(connection, 'manual')}`;
}

/** Highest cost of all questions about a record. */
export async function recordPriceLine(
  connection: Connection,
  { name, questions, credits }: { name: string; questions: readonly Question[]; credits: number },
): Promise<string> {
  const asked = questions.map(({ operation, options }) => `${label(operation)}${withOptions(options)}`);
  const most = `at most ${counted(credits, 'credit')}`;
  return `${name}: ${asked.join(', then ')}: ${most}, ${await budgetLeft(connection, 'manual')}`;
}

/** Remaining credits. Names the ledger, because this machine and each stack have different ledgers. */
export async function budgetLeft(
  { services, isReal, isStack, path }: Connection,
  purpose: Purpose,
): Promise<string> {
  const left = `${figure((await services.ledger.now()).left(purpose))} left in the budgets`;
  if (isStack) return `${left} of ${path}`;
  return isReal ? `${left}; real credits, booked in ${path} only` : left;
}

/** `1 credit`: price of an operation without additions; for a search, the price of one result. */
export function basePrice(operation: OperationName): string {
  return counted(OPERATIONS[operation].base, 'credit');
}

function pricePerResult(search: Search): number {
  return priceOfQuestion(pageQuestion(search, { per_page: 1, limit: 1 }));
}

function includedIn({ parameters }: Search): string[] {
  const included = Object.entries(parameters).filter(([, value]) => value === 'include');
  return included.map(([name]) => name.replace(/^include_/, '').replaceAll('_', ' '));
}

function withOptions(options: readonly string[]): string {
  return options.length === 0 ? '' : ` with ${options.join(', ')}`;
}
