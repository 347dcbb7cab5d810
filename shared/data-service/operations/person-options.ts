import { inclusion } from '../parameter-rules.ts';

/** The paid options that every operation with persons in its answer takes, except the reverse lookups. */
export const personOptions = { include_email: inclusion, include_phone: inclusion };
