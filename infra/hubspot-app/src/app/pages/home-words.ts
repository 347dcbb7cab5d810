/** `24 Nov 2026, 00:05`, in the time zone of the policy's days and months. */
export function localTime(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(atMs);
}

export const REVIEW_WORDS: Readonly<Record<string, string>> = {
  contradiction: 'Contradiction',
  'job-change': 'Job change',
  duplicate: 'Possible duplicate',
  association: 'Company to associate',
  proposal: 'Proposed values',
};

export const PURPOSE_WORDS: Readonly<Record<string, string>> = {
  manual: 'A person',
  live: 'New or changed record',
  workflow: 'Workflow',
  import: 'Import',
  refresh: 'Scheduled refresh',
  backfill: 'Backfill',
};

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  match: 'Match',
  'no-match': 'No match',
  late: 'Charge proved late',
};
