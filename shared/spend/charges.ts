import { isResolution, type LedgerEntry, type LedgerStore } from '#shared/credit-ledger';
import { keyInPortal, OBJECT_TYPES, type RecordName } from '#shared/crm';
import { csvRecord } from '#shared/kernel';
import {
  type Journal,
  type JournalEntry,
  livingState,
  type RecordItems,
  type RecordState,
} from '#shared/records';
import type { Owners } from '#shared/store';
import { isCharge, outcomeOf } from './forecast.ts';
import type { PlacedRow, SpendRow } from './schemas.ts';
import {
  holdsUnnamed,
  isSelected,
  type Query,
  type RefusedQuery,
  refusedQuery,
  type Selection,
  spansBefore,
} from './selection.ts';

/** One charge in the ledger, in whole credits. `atMs` is the time of booking. */
export interface Charge
  extends Pick<SpendRow, 'day' | 'operation' | 'purpose' | 'outcome' | 'credits'>,
    Pick<LedgerEntry, 'seq' | 'atMs' | 'record' | 'rule' | 'askedBy' | 'questionKey'> {
  /**
   * Whether the charge was in doubt, and a person resolved it as charged. The reason in the ledger is a person's note,
   * so it is not shown.
   */
  readonly isResolved: boolean;
}

export interface ChargeQuery {
  /** Sums of all months that the selection touches. */
  readonly rows: readonly PlacedRow[];
  readonly selection: Selection;
  /** Key of a record, to list only its charges. */
  readonly record?: string | undefined;
  /** Lists only charges before this ledger entry. */
  readonly beforeSeq?: number | undefined;
  /** Maximum number of charges on the page. */
  readonly limit: number;
}

export interface ChargePage {
  /** Newest first. */
  readonly charges: readonly Charge[];
  /** `beforeSeq` of the next page, if there may be more charges. */
  readonly nextSeq?: number;
}

type Entries = Pick<LedgerStore, 'entries' | 'owners'>;

/** Maximum number of entries that are read for one page. */
const MAX_READ = 1_000;

const CHUNK = 100;

/** Each read counts as at least this number of entries, so that many short spans cannot cause endless reads. */
const MIN_ENTRIES_A_READ = 20;

/**
 * Lists a page of the charges of a selection, newest first. Reads only the spans of the log that the sums name, and at
 * most a thousand entries. So a page may be short or empty without being the last one.
 */
export async function listCharges(store: Entries, query: ChargeQuery): Promise<ChargePage> {
  const { rows, selection, limit, beforeSeq = Number.MAX_SAFE_INTEGER } = query;
  const selected = rows.filter((row) => isSelected(selection, row) || holdsUnnamed(row, selection));
  const charges: Charge[] = [];
  let [read, nextSeq] = [0, beforeSeq];
  // Reads one charge more than the page holds, to find out whether a next page exists.
  while (charges.length <= limit && read < MAX_READ) {
    const [span] = spansBefore(selected, nextSeq);
    if (!span) return { charges };
    const [first, last] = span;
    const fromSeq = Math.max(first, last + 1 - Math.min(CHUNK, MAX_READ - read));
    const entries = await store.entries({ fromSeq, limit: last - fromSeq + 1 });
    read += Math.max(MIN_ENTRIES_A_READ, entries.length);
    const found = entries
      .flatMap((entry) => chargeOf(entry, store.owners))
      .filter((charge) => isWanted(charge, query));
    charges.push(...found.toReversed());
    nextSeq = fromSeq;
  }
  const page = charges.slice(0, limit);
  if (charges.length > limit) return { charges: page, nextSeq: page.at(-1)?.seq ?? beforeSeq };
  return spansBefore(selected, nextSeq).length > 0 ? { charges, nextSeq } : { charges };
}

/** Number of charges in one read for a long list. */
const PART_CHARGES = 500;

interface ReadingMany {
  /** Maximum number of reads, for a caller that needs few entries. */
  readonly mostParts?: number;
  /** Ends the reading at this sum, for a caller that knows the sum of all charges. */
  readonly allCredits?: number | undefined;
}

/** Lists charges page by page up to the limit. */
export async function listManyCharges(
  store: Entries,
  query: ChargeQuery,
  { mostParts = Number.POSITIVE_INFINITY, allCredits = Number.POSITIVE_INFINITY }: ReadingMany = {},
): Promise<ChargePage> {
  const charges: Charge[] = [];
  let nextSeq = query.beforeSeq;
  let [parts, credits] = [0, 0];
  do {
    const limit = Math.min(PART_CHARGES, query.limit - charges.length);
    const page = await listCharges(store, { ...query, beforeSeq: nextSeq, limit });
    charges.push(...page.charges);
    credits += page.charges.reduce((total, charge) => total + charge.credits, 0);
    nextSeq = page.nextSeq;
    parts += 1;
  } while (
    nextSeq !== undefined &&
    charges.length < query.limit &&
    parts < mostParts &&
    credits < allCredits
  );
  return { charges, ...(nextSeq !== undefined && { nextSeq }) };
}

function isWanted(charge: Charge, { selection, record }: ChargeQuery): boolean {
  return isSelected(selection, charge) && charge.record === (record ?? charge.record);
}

function chargeOf(entry: LedgerEntry, { portal }: Owners): Charge[] {
  const { seq, atMs, day, record: name, rule, askedBy, operation, purpose, questionKey } = entry;
  if (!isCharge(entry) || operation === undefined || purpose === undefined) return [];
  const record = name && (keyInPortal(portal, name) ?? name);
  const origin = { record, rule, askedBy, operation, purpose, questionKey };
  const charge = { seq, atMs, day, ...origin, outcome: outcomeOf(entry), credits: entry.amountCredits };
  return [{ ...charge, isResolved: isResolution(entry) }];
}

/** Everything that is stored about a record, without its values. */
export interface RecordLook {
  /** The name that the caller asked for. */
  readonly name: RecordName;
  /** State of the record, or of the record that it was merged into. */
  readonly state: RecordState;
  readonly isKnown: boolean;
  /** Newest first. */
  readonly runs: readonly RunLook[];
}

/** A run with the names of the properties that it wrote. */
export interface RunLook
  extends Pick<JournalEntry, 'run' | 'atMs' | 'purpose' | 'kind' | 'outcome' | 'credits' | 'question'> {
  readonly properties: readonly string[];
}

/** Number of runs that are read, the newest ones. Each run needs its own read. */
const RUNS = 20;

export async function readRecordLook(
  services: { readonly records: RecordItems; readonly journal: Pick<Journal, 'read'> },
  name: RecordName,
): Promise<RecordLook> {
  const state = await livingState(services, name);
  const numbers = Array.from(
    { length: Math.min(RUNS, state.runsOpened) },
    (_, back) => state.runsOpened - back,
  );
  const entries = await Promise.all(numbers.map((run) => services.journal.read(state, run)));
  const isKnown = state.runsOpened > 0 || state.mergedFrom !== undefined || state.forgottenAtMs !== undefined;
  return { name, state, isKnown, runs: entries.flatMap((entry) => (entry ? [runLook(entry)] : [])) };
}

/** Reads `type` and `id` from a query. */
export function parseRecordName(
  query: Query,
): { readonly kind: 'name'; readonly name: RecordName } | RefusedQuery {
  const { type, id = '' } = query;
  const objectType = OBJECT_TYPES.find((each) => each === type);
  if (!objectType)
    return refusedQuery('unknown-choice', { parameter: 'type', choices: OBJECT_TYPES.join(', ') });
  if (!/^\d{1,20}$/.test(id)) return refusedQuery('not-a-record-id', { parameter: 'id' });
  return { kind: 'name', name: { objectType, id } };
}

function runLook({ run, atMs, purpose, kind, outcome, credits, question, changes }: JournalEntry): RunLook {
  const properties = changes.filter(({ state }) => state !== 'refused').map(({ property }) => property);
  return { run, atMs, purpose, kind, outcome, credits, question, properties };
}

const COLUMNS = ['day', 'operation', 'purpose', 'outcome', 'credits', 'count', 'rule', 'askedBy'] as const;

/** Writes the rows under a header line. */
export function spendCsv(rows: readonly SpendRow[]): string {
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column] ?? '')))]
    .map(csvRecord)
    .join('');
}

const CHARGE_COLUMNS = [
  'time',
  'day',
  'record',
  'operation',
  'purpose',
  'outcome',
  'credits',
  'questionKey',
  'seq',
  'rule',
  'askedBy',
] as const;

/** Writes the charges under a header line. `time` is ISO 8601 in UTC. If charges are missing, the last line says so. */
export function chargesCsv({ charges, nextSeq }: ChargePage): string {
  const rows = charges.map((charge) => ({ ...charge, time: new Date(charge.atMs).toISOString() }));
  const missing =
    nextSeq === undefined ? [] : [[`Not complete: charges before ledger entry ${nextSeq} are missing.`]];
  const cells = rows.map((row) => CHARGE_COLUMNS.map((column) => String(row[column] ?? '')));
  return [CHARGE_COLUMNS, ...cells, ...missing].map(csvRecord).join('');
}
