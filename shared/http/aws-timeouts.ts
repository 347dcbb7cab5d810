import { SECOND_MS } from '#shared/kernel';

/**
 * Timeouts for every AWS client. Without timeouts, a hanging connection would block a worker for its whole lifetime.
 * After a timeout, the SDK retries the request, with at most 4 attempts. All attempts together take less than the 10
 * seconds of the webhook's function. AWS normally answers these requests within a second.
 */
export const AWS_TIMEOUTS = {
  requestHandler: {
    connectionTimeout: SECOND_MS,
    /** Time from the start of the request to the headers of the answer. */
    requestTimeout: 2 * SECOND_MS,
    throwOnRequestTimeout: true,
    /** Longest time without a byte, for an answer that stops in the middle. */
    socketTimeout: 2 * SECOND_MS,
  },
} as const;
