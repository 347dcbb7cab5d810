/**
 * Purposes of a question, most urgent first: a person's request, an event of a fresh record, a workflow, an import, the
 * refresh of stale records, a backfill of the whole account.
 */
export const PURPOSES = ['manual', 'live', 'workflow', 'import', 'refresh', 'backfill'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Names of the purposes for people. */
export const PURPOSE_LABELS: Readonly<Record<Purpose, string>> = {
  manual: 'By hand',
  live: 'New and changed records',
  workflow: 'Workflows and bulk actions',
  import: 'Imports',
  refresh: 'Scheduled refresh',
  backfill: 'Backfill',
};

/**
 * Returns the purpose for HubSpot's source of a record or a change. HubSpot can add sources, so a source counts as a
 * lead unless it is known to cause large numbers.
 */
export function purposeOfSource(source: string): Purpose {
  return MASS_SOURCES.get(source) ?? 'live';
}

/** Whether a person made the change in HubSpot, for one or many records. Workflows, imports and apps do not count. */
export function isPersonSource(source: string): boolean {
  return /^(?:CRM_UI|MOBILE)/.test(source);
}

const MASS_SOURCES: ReadonlyMap<string, Purpose> = new Map([
  ['IMPORT', 'import'],
  ['AUTOMATION_PLATFORM', 'workflow'],
  ['WORKFLOWS', 'workflow'],
  ['CRM_UI_BULK_ACTION', 'workflow'],
  // Companies that HubSpot creates for contacts. An import can cause a hundred thousand.
  ['AUTO_ASSOCIATE_BY_DOMAIN', 'workflow'],
]);

/** Returns the more urgent of two purposes. */
export function moreUrgent(a: Purpose, b: Purpose): Purpose {
  return PURPOSES.indexOf(a) <= PURPOSES.indexOf(b) ? a : b;
}

/**
 * Lanes, the most urgent first. `urgent`: a person waits, or the law requires the work. `live`: fresh leads. `bulk`:
 * large numbers, which get the remaining capacity. A more urgent lane goes first in the queues, at the vendor's rate
 * and in the budgets.
 */
export const LANES = ['urgent', 'live', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

export function laneOf(purpose: Purpose): Lane {
  if (purpose === 'manual') return 'urgent';
  return purpose === 'live' ? 'live' : 'bulk';
}
