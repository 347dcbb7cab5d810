import { openVendor } from './vendor-client.ts';

export const CLIENTS = { tiny: openVendor };
