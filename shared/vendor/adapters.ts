export { CLIENTS } from '#vendors/clients';
export { checkedParameters } from './data-service/schemas.ts';
export { openVendor } from './data-service/vendor-client.ts';
export type { VendorSettings } from './opening.ts';
