import { counted, type Wording } from '#shared/kernel';
import type { Sheet } from '../../terminal/sheet.ts';

/** Result of `rehearse clean`. `records` is absent without a HubSpot token, `stack` if there was no stack. */
export interface Cleaned {
  readonly stack?: string | undefined;
  readonly records?: number | undefined;
  /** Whether the data folder had a journal of a rehearsal in this HubSpot account. */
  readonly hadJournal?: boolean;
  /** Whether the removed journals had finished steps. */
  readonly hadSteps: boolean;
}

/** Builds the output of `rehearse clean`. */
export function cleanedSheet({ stack, records, hadJournal = false, hadSteps }: Cleaned): Sheet {
  const body: Wording[] = [];
  if (stack !== undefined) body.push(`The stack ${stack} was removed.`);
  if (records === 0) body.push('No record of a rehearsal was found.');
  else if (records !== undefined) body.push(`${counted(records, 'record')} removed.`);
  else if (stack === undefined) body.push('The data folder has no journal that names a stack or a record.');
  const notes: Wording[] = [];
  if (records === 0 && !hadJournal)
    notes.push(
      "The data folder has no journal, so only HubSpot's search was used. It shows new records late: to be sure, use the DATA_DIR of the rehearsal, or run this again in a minute.",
    );
  if (hadSteps) notes.push('The finished steps are forgotten: the next rehearsal begins with step 1.');
  if (records === undefined) notes.push('HUBSPOT_ACCESS_TOKEN is not set: HubSpot was not cleaned.');
  return {
    json: {
      ...(records !== undefined && { found: records }),
      ...(stack !== undefined && { stack }),
    },
    body,
    notes,
  };
}
