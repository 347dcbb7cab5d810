export { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
export { storedRateLimiterSchema } from './schemas.ts';
export { type RateReport, readRate } from './state.ts';
