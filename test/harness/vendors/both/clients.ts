import { openVendor as openDataService } from '#inside/vendor/data-service/vendor-client.ts';
import { openVendor as openTiny } from '../tiny/vendor-client.ts';

export const CLIENTS = { 'data-service': openDataService, tiny: openTiny };
