import { openDataService } from './data-service/vendor-client.ts';

export { checkedParameters } from './data-service/parameter-rules.ts';
/** Opens the vendor in use. */
export const openVendor = openDataService;
