import { failureOf } from '../../local/failure.ts';

const REFUSED = /AccessDenied/;
const SIGN_IN =
  /ExpiredToken|CredentialsProviderError|TokenProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|ProcessCredentials/;
const GONE = /ResourceNotFound/;

/**
 * Why the tables cannot be read now, in words that name what to change.
 * @returns nothing for a mistake of the program
 */
export function readProblem(error: unknown, { isStack }: { readonly isStack: boolean }): string | undefined {
  if (!isStack || !(error instanceof Error)) return failureOf(error)?.message;
  const { name, message } = error;
  if (REFUSED.test(name)) {
    const action = /not authorized to perform: (\w+:\w+)/.exec(message)?.[1] ?? 'the read';
    return `AWS refuses ${action} to your credentials (${name}). Allow it as in docs/operations/page-policy.json.`;
  }
  if (SIGN_IN.test(name))
    return `AWS does not accept your credentials (${name}). Check AWS_PROFILE, sign in again, and start this command again.`;
  if (GONE.test(name))
    return `A table of the stack is missing (${name}). Start this command again, so that it reads the stack's tables anew.`;
  if ('$metadata' in error || failureOf(error)?.code === 'connection-lost')
    return `The tables of the stack do not answer (${name}). Load the page again in a minute.`;
  return failureOf(error)?.message;
}
