export type { AskResult, Commitment, LookedAt, NotJoined } from './ask-result.ts';
export {
  isOutOfCredits,
  personsStopSentence,
  STOP_SENTENCES,
  type StopReason,
  withoutOldKey,
} from './breaker-transitions.ts';
export { type Breakers, createBreakers, readBreakers } from './breakers.ts';
export {
  type BookedDoubt,
  type BookedDoubts,
  readBookedDoubts,
  readOpenDoubts,
  readSentEntries,
  resolveDoubt,
  resolveOldDoubts,
  type StoredDoubt,
} from './doubts.ts';
export {
  type AbandonedReport,
  type AbandonedServices,
  finishAbandoned,
  type SweptQuestions,
} from './finish-abandoned.ts';
export { storedRecord } from './finish-answer.ts';
export { type AskGateway, createAskGateway } from './gateway.ts';
export type { GatewayPolicy, GatewayServices } from './gateway-services.ts';
export { createMissCount } from './miss-count.ts';
export { obstacleNow } from './obstacle-now.ts';
export { createDisclosures, disclosedPerson } from './people/disclosures.ts';
export {
  type AnswerFilter,
  dropAnswers,
  dropAnswersAbout,
  type ForgetServices,
  forgetPerson,
  recordsOfPerson,
  repeatForgets,
} from './people/forget-person.ts';
export { allKeys, type IdentifierKeys, identifierKeys, NO_IDENTIFIERS } from './people/identifiers.ts';
export { linkPeople, readLinks, rememberRecordIdentifiers } from './people/links.ts';
export { identifiersOfAnswer, storedEntries } from './people/stored-people.ts';
export { createSuppressionList } from './people/suppression-list.ts';
export { chargeOf, timeToAnswerMs } from './purchase.ts';
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
export type { BreakerState, Disclosure, QuestionItem, StoredAnswer, VendorFindings } from './schemas.ts';
export { answerFor, answersOf, linkExpiry } from './stored-answers.ts';
export {
  breakersKind,
  disclosureKind,
  questionKind,
  sideItemKind,
  suppressionKind,
  vendorFactsKind,
} from './stored-kinds.ts';
