export { createKeyCheck, createPaidCalls } from './paid-calls.data-service.ts';
export { readSentEntries } from './sent-entries.dynamo.ts';
