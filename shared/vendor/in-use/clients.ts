import { openVendor } from '../data-service/vendor-client.ts';
import type { OpenVendor } from '../opening.ts';

/** Opens each vendor in use, by its name. */
export const CLIENTS: Readonly<Record<string, OpenVendor>> = { 'data-service': openVendor };
