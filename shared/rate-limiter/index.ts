export { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
export { readRate } from './state.ts';
export { rateLimiterKind } from './stored-kinds.ts';
