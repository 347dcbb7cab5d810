export { createDynamoReviews } from './stores.dynamo.ts';
