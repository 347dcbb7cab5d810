import { SECOND_MS } from '#shared/kernel';

/**
 * Timeouts for every AWS client. Without them a hanging connection blocks a worker for its whole lifetime. The SDK retries a
 * request after a timeout, with at most 4 attempts. Together they take less than the 10 seconds of the webhook's function.
 * AWS answers these requests within a second.
 */
export const AWS_TIMEOUTS = {
  requestHandler: {
    connectionTimeout: SECOND_MS,
    /** From the start of the request to the headers of the answer. */
    requestTimeout: 2 * SECOND_MS,
    throwOnRequestTimeout: true,
    /** Longest time without a byte, for an answer that stops in the middle. */
    socketTimeout: 2 * SECOND_MS,
  },
} as const;
