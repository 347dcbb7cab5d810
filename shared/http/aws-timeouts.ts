import { SECOND_MS } from '#shared/kernel';

/**
 * Settings for every AWS client that crosses a network: without them a connection that hangs holds a worker for its
 * whole lifetime. The SDK repeats a request that timed out, 4 attempts at most: together less than the 10 seconds
 * that the webhook's function has. AWS answers these requests within a second.
 */
export const AWS_TIMEOUTS = {
  requestHandler: {
    connectionTimeout: SECOND_MS,
    /** From the start of the request to the head of its answer. */
    requestTimeout: 2 * SECOND_MS,
    throwOnRequestTimeout: true,
    /** Without a byte: an answer that stops in the middle. */
    socketTimeout: 2 * SECOND_MS,
  },
} as const;
