import { VENDOR } from '../data-service/lookups.ts';

/** The vendors in use, in the order in which they are asked. */
export const VENDORS = [VENDOR] as const;
