/**
 * Seconds until SQS delivers a message again that its worker did not delete: the worker's timeout and half a minute. AWS
 * advises six times the timeout, so that Lambda can repeat a throttled call. Then a crash would hide a new lead for half an
 * hour. A second delivery does no harm here, because a worker claims each record; so the time stays short.
 */
export const VISIBILITY_TIMEOUT_S = 330;

/** A throttled worker may stand still for this long before its messages become dead letters. */
const SURVIVED_S = 3 * 3_600;

/**
 * Deliveries before a message becomes a dead letter. SQS counts a delivery even if Lambda throttles the worker, so the
 * number comes from the time that messages must survive.
 */
export const MAX_RECEIVES = Math.ceil(SURVIVED_S / VISIBILITY_TIMEOUT_S);
