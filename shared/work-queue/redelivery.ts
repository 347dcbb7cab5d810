/**
 * Seconds until SQS delivers an unfinished message again: the worker's timeout plus half a minute. AWS advises six
 * times the timeout, so that Lambda can retry a throttled call. But then a crash would delay a new lead by half an
 * hour. A second delivery is harmless, because a worker claims each record; so the time stays short.
 */
export const VISIBILITY_TIMEOUT_S = 330;

/** Seconds that a throttled worker may stop before its messages become dead letters. */
const SURVIVED_S = 3 * 3_600;

/**
 * Deliveries before a message becomes a dead letter. SQS counts a delivery even if Lambda throttles the worker, so the
 * number comes from the time that messages must survive.
 */
export const MAX_RECEIVES = Math.ceil(SURVIVED_S / VISIBILITY_TIMEOUT_S);
