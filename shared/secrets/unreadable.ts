import { UpstreamError } from '#shared/kernel';

/** @param place where the secret was looked for; not a part of it. */
export function unreadable(place: string, cause: unknown): UpstreamError {
  const name = cause instanceof Error ? cause.name : 'an unknown error';
  return new UpstreamError({
    code: 'SECRETS_UNREADABLE',
    message: `The secret could not be read from ${place}: ${name}.`,
    retryable: true,
    cause,
  });
}
