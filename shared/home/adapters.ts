export { createHomes } from './stores.dynamo.ts';
