import { DATA_SERVICE } from './data-service/lookups.ts';
import { openDataService } from './data-service/vendor-client.ts';
import type { Vendor } from './vendor.ts';

export { checkedParameters } from './data-service/parameter-rules.ts';

/** The vendor that a program opens if it names no other. */
export const DATA_SERVICE_VENDOR: Vendor = { ...DATA_SERVICE, open: openDataService };
