import type { OpenVendor } from '#inside/vendor/opening.ts';
import { openVendor } from './vendor-client.ts';

export const CLIENTS: Readonly<Record<string, OpenVendor>> = { tiny: openVendor };
