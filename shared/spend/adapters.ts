export { createSpend } from './stores.dynamo.ts';
