import { failureOf } from '../../local/failure.ts';

const NOT_ALLOWED = /AccessDenied/;
const NOT_SIGNED_IN =
  /ExpiredToken|CredentialsProviderError|TokenProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature/;
const GONE = /ResourceNotFound/;

/**
 * Says why the tables cannot be read now, and what to change.
 * @returns `undefined` for a bug of the program.
 */
export function readProblem(error: unknown, { isStack }: { readonly isStack: boolean }): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = 'code' in error ? String(error.code) : error.name;
  if (!isStack) return failureOf(error)?.message;
  if (NOT_ALLOWED.test(name)) {
    const action = /not authorized to perform: (\w+:\w+)/.exec(error.message)?.[1] ?? 'to read the tables';
    return `AWS does not allow you ${action} (${name}). Allow the actions that docs/operations/page-policy.json lists.`;
  }
  if (NOT_SIGNED_IN.test(name))
    return `AWS does not accept your credentials (${name}). Check AWS_PROFILE, sign in, and start this command again.`;
  if (GONE.test(name))
    return `A table of the stack is gone (${name}). Start this command again: it then looks for the tables again.`;
  if ('$metadata' in error)
    return `The tables of the stack do not answer (${name}). Load the page again in a minute.`;
  return failureOf(error)?.message;
}
