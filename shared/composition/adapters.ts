export { createAlerting } from './alerts.aws.ts';
export { createAsking } from './asking.aws.ts';
export { createBooks } from './books.aws.ts';
export { createCrm } from './crm.aws.ts';
export { openLambda, tablesOf } from './lambda.aws.ts';
export { createRecords, createRounds } from './records.aws.ts';
export { createServices, type Services, type ServicesSettings } from './services.aws.ts';
export { createSpendReaders } from './spend-readers.aws.ts';
export { skipWithoutKeys, type Unlocked, withSecrets } from './with-secrets.aws.ts';
