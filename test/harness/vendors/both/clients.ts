import { openVendor as openDataService } from '#inside/vendor/data-service/vendor-client.ts';
import type { OpenVendor } from '#inside/vendor/opening.ts';
import { openVendor as openTiny } from '../tiny/vendor-client.ts';

export const CLIENTS: Readonly<Record<string, OpenVendor>> = {
  'data-service': openDataService,
  tiny: openTiny,
};
