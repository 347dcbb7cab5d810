/**
 * Purposes of a question, most urgent first: a person's request, an event of a fresh record, a workflow, an import,
 * the refresh of stale records, a backfill of the whole portal.
 */
export const PURPOSES = ['manual', 'live', 'workflow', 'import', 'refresh', 'backfill'] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * What a record is worked on for, by who brought it or its change, as HubSpot names it. Its list of sources is open: what
 * is not known for coming in masses is a lead, rather early than late.
 */
export function purposeOfSource(source: string): Purpose {
  return MASSES.get(source) ?? 'live';
}

/** Whether a person made the change in HubSpot, alone or for many records. Workflows, imports and apps are no persons. */
export function isPersonSource(source: string): boolean {
  return /^(?:CRM_UI|MOBILE)/.test(source);
}

const MASSES: ReadonlyMap<string, Purpose> = new Map([
  ['IMPORT', 'import'],
  ['AUTOMATION_PLATFORM', 'workflow'],
  ['WORKFLOWS', 'workflow'],
  ['CRM_UI_BULK_ACTION', 'workflow'],
  // A company that HubSpot makes for a contact, a hundred thousand of them for an import.
  ['AUTO_ASSOCIATE_BY_DOMAIN', 'workflow'],
]);

/** Of two reasons to work on a record, the one that is more urgent. */
export function moreUrgent(a: Purpose, b: Purpose): Purpose {
  return PURPOSES.indexOf(a) <= PURPOSES.indexOf(b) ? a : b;
}

/**
 * `urgent`: a person waits now, or the law requires it. `live`: fresh leads. `bulk`: large numbers that take
 * what is left. The earlier one goes first everywhere: in the queues, at the vendor's rate, in the budgets.
 */
export const LANES = ['urgent', 'live', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

export function laneOf(purpose: Purpose): Lane {
  if (purpose === 'manual') return 'urgent';
  return purpose === 'live' ? 'live' : 'bulk';
}
