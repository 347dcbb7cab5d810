export { checkGivenKey } from './given-key.data-service.ts';
export { createKeyCheck, createPaidCalls } from './paid-calls.data-service.ts';
