import { type Failure, failureOf } from '../../local/failure.ts';
import { type ParamsOf, sentenceOf, type TextParams, type TextRow, textRow } from '../../local/text-row.ts';

const NAMED = { name: 'ExpiredTokenException' };

/** Why the page cannot read the tables now, and what to change. */
export const READ_PROBLEMS = {
  'not-allowed': textRow(
    { name: 'AccessDeniedException', action: 'dynamodb:Query' },
    ({ name, action }) => `AWS does not allow you ${action} (${name})`,
    'allow the actions that docs/operations/page-policy.json lists',
  ),
  'not-signed-in': textRow(
    NAMED,
    ({ name }) => `AWS does not accept your credentials (${name})`,
    'check AWS_PROFILE, sign in, and start this command again',
  ),
  'table-gone': textRow(
    NAMED,
    ({ name }) => `A table of the stack is gone (${name})`,
    'start this command again, because it then looks for the tables again',
  ),
  'tables-silent': textRow(
    NAMED,
    ({ name }) => `The tables of the stack do not answer (${name})`,
    'load the page again in a minute',
  ),
};

type ReadProblem = keyof typeof READ_PROBLEMS;

const NOT_ALLOWED = /AccessDenied/;
const NOT_SIGNED_IN =
  /ExpiredToken|CredentialsProviderError|TokenProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature/;
const GONE = /ResourceNotFound/;

/** @returns `undefined` for a bug of the program. */
export function readProblem(
  error: unknown,
  { isStack }: { readonly isStack: boolean },
): Pick<Failure, 'code' | 'message' | 'params'> | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = 'code' in error ? String(error.code) : error.name;
  if (!isStack) return failureOf(error);
  if (NOT_ALLOWED.test(name)) {
    const action = /not authorized to perform: (\w+:\w+)/.exec(error.message)?.[1] ?? 'to read the tables';
    return problem('not-allowed', { name, action });
  }
  if (NOT_SIGNED_IN.test(name)) return problem('not-signed-in', { name });
  if (GONE.test(name)) return problem('table-gone', { name });
  return '$metadata' in error ? problem('tables-silent', { name }) : failureOf(error);
}

function problem<Code extends ReadProblem>(code: Code, params: ParamsOf<(typeof READ_PROBLEMS)[Code]>) {
  return {
    code,
    params,
    message: sentenceOf<TextParams>(READ_PROBLEMS[code] as unknown as TextRow<TextParams>, params),
  };
}
