import { DATA_SERVICE } from './data-service/lookups.ts';

/** The vendor that answers the questions. `adapters.ts` opens it. */
export const VENDOR = DATA_SERVICE;
