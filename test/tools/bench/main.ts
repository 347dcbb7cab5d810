import { measureAwsCosts } from './aws-costs.ts';

/**
 * `npm run bench`: what AWS asks, as tables in Markdown. DynamoDB's units are counted at the DynamoDB engine, the index
 * included. The other services are computed from the stack's numbers. The result stands in the page of measurements.
 */
console.log(await measureAwsCosts());
