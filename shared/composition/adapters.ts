export { createAlerting } from './alerts.aws.ts';
export { createAsking } from './asking.aws.ts';
export { createAudit, createBooks, createBooksToRead, createLedgerFault } from './books.aws.ts';
export { createCrm } from './crm.aws.ts';
export { openLambda, tablesOf } from './lambda.aws.ts';
export {
  createBreakerItems,
  createDoubtReaders,
  createQuestions,
  createRateReader,
} from './questions.aws.ts';
export {
  createBackfills,
  createClaims,
  createCounted,
  createCursors,
  createDynamoDailyBrought,
  createDynamoReviews,
  createDynamoWriteBreakers,
  createExecutions,
  createIndexLag,
  createPolicies,
  createPortal,
  createPortalId,
  createRecords,
  createRequests,
  createRounds,
  createWriteJournal,
} from './records.aws.ts';
export { createServices, type Services, type ServicesSettings } from './services.aws.ts';
export { createSpend } from './spend.aws.ts';
export { onceKeysAreThere, type Unlocked, withSecrets } from './with-secrets.aws.ts';
