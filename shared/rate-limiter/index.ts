export { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
export { type RateReport, readRate } from './state.ts';
export { rateLimiterKind } from './stored-kinds.ts';
