import { VENDOR } from './lookups.ts';

export const VENDORS = [VENDOR] as const;
