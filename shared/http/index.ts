export { AWS_TIMEOUTS } from './aws-timeouts.ts';
export { type HttpRequest, type HttpResponse, httpError, type Send } from './http-request.ts';
export {
  type Attempt,
  type Classify,
  type RetryPolicy,
  retryAfterMs,
  sendWithRetries,
  serverDateMs,
  type Verdict,
} from './retry.ts';
