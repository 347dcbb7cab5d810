interface ErrorRow {
  /** However often it is repeated: for want of a scope, or for what it asks. */
  readonly refused?: 'scope' | 'request';
  /** Whether the same request has a chance soon. */
  readonly retryable: boolean;
  readonly advice: string;
}

const ROWS = {
  /** 401: the access token is wrong, expired or of another account. */
  HUBSPOT_UNAUTHORIZED: {
    retryable: false,
    advice: 'the access token is not valid for this account',
  },
  /** 403. */
  HUBSPOT_FORBIDDEN: {
    refused: 'scope',
    retryable: false,
    advice: 'the app lacks a scope that this request needs',
  },
  HUBSPOT_NOT_FOUND: { refused: 'request', retryable: false, advice: 'there is nothing at this address' },
  HUBSPOT_CONFLICT: { refused: 'request', retryable: false, advice: 'something of this name exists already' },
  /** Any other 4xx: the request is at fault. */
  HUBSPOT_INVALID_REQUEST: { refused: 'request', retryable: false, advice: 'the request was refused' },
  /** 429 `DAILY`: no request of any private app succeeds before midnight in the account's time zone. */
  HUBSPOT_DAILY_LIMIT: {
    retryable: false,
    advice: "the account's daily requests are used up until midnight in its time zone",
  },
  /** 429 of a window of seconds. */
  HUBSPOT_RATE_LIMIT: { retryable: true, advice: 'too many requests in a short time' },
  /** 423: locked by bulk writes, for about two seconds. */
  HUBSPOT_LOCKED: { retryable: true, advice: 'the resource is locked for a moment' },
  /** 477: the account is being moved; `retryAfterMs` says for how long. */
  HUBSPOT_MIGRATING: {
    retryable: true,
    advice: 'the account is being moved to another data centre',
  },
  HUBSPOT_UNAVAILABLE: { retryable: true, advice: 'HubSpot is not able to answer now' },
  /** A success whose body is not what it should be. */
  HUBSPOT_UNREADABLE_ANSWER: {
    retryable: true,
    advice: 'the body is not what it should be',
  },
  /** Not sent: our own time for it was over. */
  HUBSPOT_TIME_SHORT: {
    retryable: true,
    advice: 'our time for requests was over',
  },
} as const satisfies Record<string, ErrorRow>;

export type HubSpotErrorCode = keyof typeof ROWS;
export const HUBSPOT_ERRORS: Readonly<Record<HubSpotErrorCode, ErrorRow>> = ROWS;
