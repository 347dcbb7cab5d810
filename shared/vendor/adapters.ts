export { openVendor } from '#vendor/vendor-client';
export { checkedParameters } from './data-service/schemas.ts';
export type { VendorSettings } from './opening.ts';
