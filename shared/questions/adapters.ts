export { checkGivenKey } from './given-key.data-service.ts';
export { createKeyCheck, createPaidCalls } from './paid-calls.data-service.ts';
export { readSentEntries } from './sent-entries.ts';
export {
  createBreakerItems,
  createDoubtReaders,
  createFindings,
  createQuestions,
  createUnknownMisses,
  type QuestionsSettings,
} from './stores.dynamo.ts';
