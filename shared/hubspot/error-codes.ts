interface ErrorRow {
  /** Set if a repeat would also be refused, because of a missing scope or because of the request itself. */
  readonly refused?: 'scope' | 'request';
  /** Whether the same request may succeed soon. */
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
  HUBSPOT_CONFLICT: {
    refused: 'request',
    retryable: false,
    advice: 'an object with this name already exists',
  },
  /** Any other 4xx: the request is invalid. */
  HUBSPOT_INVALID_REQUEST: { refused: 'request', retryable: false, advice: 'the request was refused' },
  /** 429 `DAILY`: HubSpot refuses requests of all private apps until midnight in the account's time zone. */
  HUBSPOT_DAILY_LIMIT: {
    retryable: false,
    advice: "the account's daily requests are used up until midnight in its time zone",
  },
  /** 429 of a window of seconds. */
  HUBSPOT_RATE_LIMIT: { retryable: true, advice: 'too many requests in a short time' },
  /** 423: locked by bulk writes, for about two seconds. */
  HUBSPOT_LOCKED: { retryable: true, advice: 'the resource is locked for a moment' },
  /** 477: the account is being moved. `retryAfterMs` is the duration. */
  HUBSPOT_MIGRATING: {
    retryable: true,
    advice: 'the account is being moved to another data centre',
  },
  /** 488: the account's data centre does not know the token, for instance since the account was moved. It stays so. */
  HUBSPOT_WRONG_DATA_CENTRE: {
    retryable: false,
    advice: "the access token is not known in the account's data centre",
  },
  HUBSPOT_UNAVAILABLE: { retryable: true, advice: 'HubSpot is not able to answer now' },
  /** A 2xx answer whose body does not fit the schema. */
  HUBSPOT_UNREADABLE_ANSWER: {
    retryable: true,
    advice: 'the body has an unexpected form',
  },
  /** The request was not sent, because our own time limit was over. */
  HUBSPOT_TIME_SHORT: {
    retryable: true,
    advice: 'our time limit for requests was over',
  },
} as const satisfies Record<string, ErrorRow>;

export type HubSpotErrorCode = keyof typeof ROWS;
export const HUBSPOT_ERRORS: Readonly<Record<HubSpotErrorCode, ErrorRow>> = ROWS;
