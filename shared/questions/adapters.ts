export { createKeyCheck, createPaidCalls } from './paid-calls.data-service.ts';
export { readSentEntries } from './sent-entries.dynamo.ts';
export {
  createBreakerItems,
  createDoubtReaders,
  createFindings,
  createQuestions,
  createUnknownMisses,
  type QuestionsSettings,
} from './stores.dynamo.ts';
