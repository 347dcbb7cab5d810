export {
  AWS_TIMEOUTS,
  type HttpErrorCode,
  type HttpRequest,
  type HttpResponse,
  httpError,
  type Send,
} from './http-request.ts';
export {
  type Classify,
  type RetryDecision,
  type RetryPolicy,
  retryAfterMs,
  type SendResult,
  sendWithRetries,
  serverDateMs,
} from './retry.ts';
