import { DATA_SERVICE } from './data-service/lookups.ts';
import { openDataService } from './data-service/vendor-client.ts';
import type { Vendor } from './opening.ts';

export { checkedParameters } from './data-service/schemas.ts';
export type { Vendor } from './opening.ts';

/** The vendor that a program opens if it names no other. */
export const DATA_SERVICE_VENDOR: Vendor = { ...DATA_SERVICE, open: openDataService };
