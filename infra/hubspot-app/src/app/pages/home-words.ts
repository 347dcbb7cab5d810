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

interface RecordName {
  readonly objectType: 'contacts' | 'companies';
  readonly id: string;
}

/** Shows only the id, because the installation sends no names. */
export function recordWord({ objectType, id }: RecordName): string {
  return `${objectType === 'contacts' ? 'Contact' : 'Company'} ${id}`;
}

/** The record's page in HubSpot. */
export function recordHref({ objectType, id }: RecordName, portalId: number | undefined): string {
  return `/contacts/${portalId ?? ''}/record/${objectType === 'contacts' ? '0-1' : '0-2'}/${id}`;
}
