export { type AtVendor, createGatewayToAll, createLedgerOfAll } from './at-vendors.ts';
export {
  type Breakers,
  createBreakers,
  isOutOfCredits,
  personsStopSentence,
  readBreakers,
  STOP_SENTENCES,
  type StopReason,
  withoutOldKey,
} from './breakers.ts';
export {
  type AbandonedReport,
  type AbandonedServices,
  type BookedDoubt,
  type BookedDoubts,
  finishAbandoned,
  readBookedDoubts,
  readOpenDoubts,
  readSentEntries,
  resolveDoubt,
  resolveOldDoubts,
  type StoredDoubt,
  type SweptQuestions,
} from './doubts.ts';
export { storedRecord } from './finish-answer.ts';
export { type AskGateway, createAskGateway } from './gateway.ts';
export type {
  AskResult,
  Commitment,
  GatewayPolicy,
  GatewayServices,
  LookedAt,
  NotJoined,
} from './gateway-services.ts';

export { createMissCount } from './miss-count.ts';
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
export { linkPeople, questionsAbout, readLinks, rememberRecordIdentifiers } from './people/links.ts';
export { identifiersOfAnswer, storedEntries } from './people/stored-people.ts';
export {
  allKeys,
  createSuppressionList,
  type IdentifierKeys,
  identifierKeys,
  NO_IDENTIFIERS,
} from './people/suppression-list.ts';
export { chargeOf, timeToAnswerMs } from './purchase.ts';

export {
  askedDomainOf,
  companyKeys,
  covers,
  identityOf,
  isSearch,
  keysAtVendors,
  LOOKUPS,
  lookupsOf,
  objectTypeOf,
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
