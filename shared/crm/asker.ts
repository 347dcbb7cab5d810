const DIGITS = /^\d{1,20}$/;

/** Askers, each with the form of its id. HubSpot's ids are digits; a person's email or name fits none. */
const ASKERS: Readonly<Record<string, RegExp | undefined>> = {
  user: DIGITS,
  workflow: DIGITS,
  source: /^[A-Z][A-Z0-9_]{0,39}$/,
  backfill: /^[A-Za-z0-9-]{1,40}$/,
  app: undefined,
  sweep: undefined,
  schedule: undefined,
  operator: undefined,
};

/** Reads `user:12345` or `schedule`. An id in another form is dropped. @returns `undefined` for an unknown asker. */
export function readAsker(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [kind, id] = partsOf(value);
  if (!Object.hasOwn(ASKERS, kind)) return undefined;
  return id !== undefined && ASKERS[kind]?.test(id) ? value : kind;
}

/** HubSpot's sources for workflows. */
const WORKFLOWS: ReadonlySet<string> = new Set(['AUTOMATION_PLATFORM', 'WORKFLOWS']);

/** Returns the asker of a change, by the source that HubSpot gives. @param sourceId `userId:12345` for a person. */
export function askerOfSource(source: string, sourceId = ''): string | undefined {
  if (isPersonSource(source)) return readAsker(`user:${sourceId.replace(/^userId:/, '')}`);
  return readAsker(WORKFLOWS.has(source) ? 'workflow' : `source:${source}`);
}

/** The asker without the id of a person, a workflow or a backfill: a source keeps its name. */
export function sourceOfAsker(asker: string): string {
  return asker.startsWith('source:') ? asker : generalAsker(asker);
}

/** The asker without its id: `user` for `user:12345`. */
export function generalAsker(asker: string): string {
  return partsOf(asker)[0];
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['user', 'User'],
  ['workflow', 'Workflow'],
  ['backfill', 'Backfill'],
  ['source', 'Another source'],
  ['source:FORM', 'Form'],
  ['source:IMPORT', 'Import'],
  ['source:INTEGRATION', 'Another app'],
  ['source:API', 'Another app, by API'],
  ['source:AUTO_ASSOCIATE_BY_DOMAIN', 'HubSpot, by domain'],
  ['app', 'This app'],
  ['sweep', 'Sweep'],
  ['schedule', 'Scheduled refresh'],
  ['operator', 'Command line'],
]);

/** The asker for a person: `User 12345`. An unknown one stands for itself. */
export function askerWords(asker: string): string {
  const known = WORDS.get(asker);
  if (known !== undefined) return known;
  const [kind, id] = partsOf(asker);
  const general = kind === 'source' ? 'Source' : WORDS.get(kind);
  return general === undefined || id === undefined ? asker : `${general} ${id}`;
}

function partsOf(asker: string): readonly [kind: string, id: string | undefined] {
  const at = asker.indexOf(':');
  return at < 0 ? [asker, undefined] : [asker.slice(0, at), asker.slice(at + 1)];
}

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
