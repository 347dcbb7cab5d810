/**
 * Seconds until SQS delivers an unfinished message again: the worker's timeout plus half a minute. AWS advises six
 * times the timeout, so that Lambda can retry a throttled call. But then a crash would delay a new lead by half an
 * hour. The shorter time is safe: a second delivery does no harm, because a worker claims each record.
 */
export const VISIBILITY_TIMEOUT_S = 330;

/** How long Lambda can throttle the worker before messages become dead letters, seconds. */
const SURVIVED_S = 3 * 3_600;

/**
 * Deliveries before a message becomes a dead letter. SQS counts a delivery even if Lambda throttles the worker, so the
 * number comes from the time that messages must survive.
 */
export const MAX_RECEIVES = Math.ceil(SURVIVED_S / VISIBILITY_TIMEOUT_S);
