import { UpstreamError } from '#shared/kernel';

/** @param place the name of the secret or parameter, not its value. */
export function unreadable(place: string, cause: unknown): UpstreamError {
  const name = cause instanceof Error ? cause.name : 'an unknown error';
  return new UpstreamError({
    code: 'SECRETS_UNREADABLE',
    message: `The secret could not be read from ${place}: ${name}.`,
    retryable: true,
    cause,
  });
}
