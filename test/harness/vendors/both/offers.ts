import { VENDOR as DATA_SERVICE } from '#inside/vendor/data-service/lookups.ts';
import { VENDOR as TINY } from '../tiny/lookups.ts';

export const VENDORS = [DATA_SERVICE, TINY] as const;
