import { measureAwsCosts } from './aws-costs.ts';

/** `npm run bench`: prints tables in Markdown. */
console.log(await measureAwsCosts());
