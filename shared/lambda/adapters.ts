export { openLambda, tablesOf } from './open-lambda.aws.ts';
export { skipWithoutKeys, type Unlocked, withSecrets } from './with-secrets.aws.ts';
