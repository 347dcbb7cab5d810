import { DATA_SERVICE } from './data-service/lookups.ts';

/** What the vendor in use offers. `adapters.ts` opens it. */
export const VENDOR = DATA_SERVICE;
