import { counted, type Wording } from '#shared/kernel';
import type { Sheet } from '../../terminal/sheet.ts';

/** Result of a clean-up. `records` is absent without a token, `stack` without a stack. */
export interface Cleaned {
  readonly stack?: string | undefined;
  readonly records?: number | undefined;
}

/** The sheet of `rehearse clean`. */
export function cleanedSheet({ stack, records }: Cleaned): Sheet {
  const body: Wording[] = [];
  if (stack !== undefined) body.push(`The stack ${stack} was removed.`);
  if (records === 0) body.push('No record of a rehearsal was found.');
  else if (records !== undefined) body.push(`${counted(records, 'record')} removed.`);
  return {
    json: { ...(records !== undefined && { found: records }), ...(stack !== undefined && { stack }) },
    body,
    ...(records === undefined && { notes: ['HUBSPOT_ACCESS_TOKEN is not set: HubSpot was not cleaned.'] }),
  };
}
