import type { OpenReservation } from './schemas.ts';

/** For whom credits are spent: a record, or so many companies together. */
export type AskedFor = Pick<OpenReservation, 'record' | 'companies'>;

/** What is there of it: an absent field is no field, whatever the entry is hashed or stored by. */
export function askedForOf({ record, companies }: AskedFor): AskedFor {
  return { ...(record !== undefined && { record }), ...(companies !== undefined && { companies }) };
}
