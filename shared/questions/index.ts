export {
  type AbandonedReport,
  type AbandonedServices,
  finishAbandoned,
  type SweptQuestions,
} from './abandoned.ts';
export { chargeOf } from './ask/book.ts';
export { lookUp } from './ask/look-up.ts';
export { obstacleNow } from './ask/obstacle-now.ts';
export { timeToAnswerMs } from './ask/slot.ts';
export type { AskResult, Commitment, LookedAt, NotJoined } from './ask-result.ts';
export {
  type BookedDoubt,
  type BookedDoubts,
  readBookedDoubts,
  readOpenDoubts,
  type StoredDoubt,
} from './booked-doubts.ts';
export { isOutOfCredits, type StopReason, withoutOldKey } from './breaker-transitions.ts';
export { type Breakers, createBreakers, readBreakers } from './breakers.ts';
export { storedRecord } from './finish-answer.ts';
export { type AskGateway, createAskGateway } from './gateway.ts';
export type { GatewayPolicy, GatewayServices } from './gateway-services.ts';
export { createDisclosures, disclosedPerson } from './people/disclosures.ts';
export { type AnswerFilter, dropAnswers, dropAnswersAbout } from './people/drop-answers.ts';
export { type ForgetServices, forgetPerson, recordsOfPerson, repeatForgets } from './people/forget-person.ts';
export { allKeys, type IdentifierKeys, identifierKeys, NO_IDENTIFIERS } from './people/identifiers.ts';
export { linkPeople, readLinks, rememberRecordIdentifiers } from './people/links.ts';
export { identifiersOfAnswer } from './people/people-in-answer.ts';
export { storedEntries } from './people/stored-people.ts';
export { createSuppressionList } from './people/suppression-list.ts';
export {
  askedDomainOf,
  companyKeys,
  covers,
  isSearch,
  LOOKUPS,
  lookupsOf,
  priceOfMiss,
  priceOfQuestion,
  QUESTION_OPERATIONS,
  type Question,
  type QuestionOperation,
  questionKey,
  withinPrice,
} from './question.ts';
export { resolveDoubt } from './resolve-doubt.ts';
export type { BreakerState, Disclosure, QuestionItem, StoredAnswer, VendorFindings } from './schemas.ts';
export { readSentEntries } from './sent-entries.ts';
export { personsStopSentence, STOP_SENTENCES } from './stop-sentences.ts';
export { answerFor, answersOf, linkExpiry } from './stored-answers.ts';
export {
  breakersKind,
  disclosureKind,
  questionKind,
  sideItemKind,
  suppressionKind,
  vendorFactsKind,
} from './stored-kinds.ts';
export { createMissCount } from './unknown-misses.ts';
